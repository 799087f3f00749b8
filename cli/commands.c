#include "cli/commands.h"

#define TARGET_IN_WORDS                                                                            \
    "a launch file, a folder with launch.yaml in it, or the name of a built-in\n"                  \
    "workload (warpstep run --list)"
#define TARGET_IS    "TARGET is " TARGET_IN_WORDS
#define RUN_IN_WORDS TARGET_IN_WORDS ", or a recording (run --record)"
#define RUN_IS       "TARGET is " RUN_IN_WORDS

static const char run_details[] =
    RUN_IS ",\n"
           "or a whole CUDA program, a .cu with a main(): it is compiled as cc does, runs, and its "
           "launches\n"
           "are reported; --kernel takes one of them by itself, and -- ends the options and begins "
           "the\n"
           "program's own (docs/programs.md). A program that nvcc has built runs too, where it is "
           "linked\n"
           "with -cudart shared and has PTX.\n"
           "\n"
           "Examples:\n"
           "  warpstep run vecadd --sms 1\n"
           "  warpstep run vecadd --device a100 --policy lrr --set sub_cores=2\n"
           "  warpstep run vecadd --format json --output vecadd.json\n";

static const char step_details[] = RUN_IS
    ".\n"
    "\n"
    "On a terminal, without -x, -e and --batch, it opens a full screen, with ? for help. Else\n"
    "commands come from the files of -x, then from -e, then, without --batch, from a prompt or\n"
    "a pipe. help lists them; docs/step.md explains them.\n"
    "\n"
    "Examples:\n"
    "  warpstep step with_without_divergence --batch -e diverge -e 'info stack'\n"
    "  warpstep step vecadd --sms 1 --batch -e 'goto 600' -e why\n";

static const char trace_details[] = RUN_IS
    ".\n"
    "\n"
    "Text has one line per event; other formats are for other programs. docs/trace.md lists the\n"
    "events and says what each format shows.\n"
    "\n"
    "Examples:\n"
    "  warpstep trace if_else --to 60\n"
    "  warpstep trace vecadd --sms 1 --warp 0 --events issue,stall\n"
    "  warpstep trace vecadd --sms 1 --format perfetto -o vecadd.pftrace\n";

static const char diff_details[] =
    "A and B are each " RUN_IN_WORDS ". Options\n"
    "are for both, or after --vs only for B, which may omit its target. Reports where the\ntwo "
    "runs first differ, event by event, and how their figures differ. The exit code is 0 if the\n"
    "runs are the same and 1 if not.\n"
    "\n"
    "Examples:\n"
    "  warpstep diff if_else if_else/switch.yaml  # exit code 1\n"
    "  warpstep diff vecadd --policy lrr --vs --policy gto  # exit code 1\n";

static const char report_details[] =
    RUN_IS ".\n"
           "\n"
           "The page is one file that a browser opens from disk. It shows the whole run, and a "
           "timeline of\n"
           "the warps of some SMs in a window of cycles. docs/report.md says what is on it.\n"
           "\n"
           "Examples:\n"
           "  warpstep report with_without_divergence -o divergence.html\n"
           "  warpstep report vecadd --sms 1 --from 500 --to 1500\n";

static const char check_details[] = TARGET_IS ", or a program: .cu, .ptx, .wsasm or .wsbin.\n"
                                              "\n"
                                              "Examples:\n"
                                              "  warpstep check with_without_divergence\n";

static const char asm_details[] = TARGET_IS ", or a program: .cu, .ptx, .wsasm or .wsbin.\n"
                                            "\n"
                                            "Examples:\n"
                                            "  warpstep asm vecadd -o vecadd.wsbin\n"
                                            "  warpstep disasm vecadd.wsbin\n";

static const char disasm_details[] = TARGET_IS ", or a program: .cu, .ptx, .wsasm or .wsbin.\n"
                                               "\n"
                                               "Examples:\n"
                                               "  warpstep disasm vecadd\n"
                                               "  warpstep disasm vecadd --effects --no-sources\n";

static const char occupancy_details[] = TARGET_IS
    ",\n"
    "or a program: .cu, .ptx, .wsasm or .wsbin. The options after --kernel change what the\n"
    "launch file says. Sizes are in bytes.\n"
    "\n"
    "The first line of a batch names its columns, in any order: block and regs, and if wanted\n"
    "device, smem, dynamic_smem and carveout. Other columns are carried over. The answer is each\n"
    "line with blocks_per_sm, warps_per_sm, occupancy, the limits, limiters, registers_per_block\n"
    "and shared_bytes_per_block behind it.\n"
    "\n"
    "Examples:\n"
    "  warpstep occupancy --block 256 --regs 40 --smem 8192 --explain\n"
    "  warpstep occupancy --kernel matmul --regs 48\n"
    "  warpstep occupancy --device a100 --batch queries.csv > answers.csv\n";

static const char init_details[] =
    "Writes a launch file for your own program: sizes, buffers and values are guessed from "
    "the\nkernel, so that it runs unchanged. PROGRAM is a .cu, .ptx, "
    ".wsasm or .wsbin; KERNEL is needed\n"
    "where it has several.\n"
    "\n"
    "Examples:\n"
    "  warpstep init saxpy.cu\n"
    "  warpstep run saxpy.yaml\n"
    "  warpstep init kernels.cu 'reduce<float>' -o reduce.yaml\n";

static const char copy_details[] = "Writes all files of a built-in workload (warpstep run --list), "
                                   "or of a lab (docs/teaching.md), to\n"
                                   "FOLDER, which is made, or is empty.\n"
                                   "\n"
                                   "Examples:\n"
                                   "  warpstep copy matmul my_matmul\n"
                                   "  warpstep run my_matmul\n"
                                   "  warpstep copy labs/transpose my_lab\n";

static const char devices_details[] =
    "Without an argument, the built-in devices are listed. DEVICE is one of them or a YAML file.\n"
    "\n"
    "Examples:\n"
    "  warpstep devices\n"
    "  warpstep devices h100 --limits\n"
    "  warpstep devices h100 --set sms=64 > small.yaml\n";

static const char dap_details[] =
    "An editor starts this and talks to it on stdin and stdout, in the Debug Adapter Protocol. "
    "What\n"
    "is run is an argument of the protocol's launch request. docs/editor.md says how to set up VS\n"
    "Code, Neovim and Emacs.\n"
    "\n"
    "Examples:\n"
    "  warpstep dap --log messages.txt\n";

static const char sweep_details[] = TARGET_IS
    ",\n"
    "or a study file, or a folder of results, whose study is resumed.\n"
    "\n"
    "A parameter is `device`, `maxreg`, `define.NAME`, a setting of the device by its "
    "path (`policy`,\n"
    "`sms`, `memory.l1.ways`), or anything that --launch takes: `block`, `grid`, a value of "
    "`let`. `set.PATH`\n"
    "and `launch.KEY` say which is meant.\n"
    "\n"
    "FOLDER gets runs.csv, one row per point. The same command resumes a sweep that was stopped.\n"
    "\n"
    "Examples:\n"
    "  warpstep sweep latency_hiding -P warps=8..64:8 -P policy=lrr,gto -o warps\n"
    "  warpstep sweep vecadd --sms 1 -P device=v100,a100,h200 -o devices\n"
    "  warpstep sweep warps --plan\n";

static const char plot_details[] =
    "RESULTS is the folder of a sweep, or a CSV file whose first line names the columns. Without "
    "FILE\n"
    "the chart is drawn with characters. FILE ends in .svg or .png (drawn by gnuplot), .html (a "
    "page\n"
    "with the chart and its table), .json (Vega-Lite) or .txt.\n"
    "\n"
    "Examples:\n"
    "  warpstep sweep latency_hiding -P warps=1..64x2 -P policy=lrr,gto -o study\n"
    "  warpstep plot study\n"
    "  warpstep plot study --x warps --y ipc --by policy -o study.html\n"
    "  warpstep plot study --y cycles --relative-to policy=lrr -o study.json\n";

static const char grade_details[] =
    "ASSIGNMENT is a folder with an assignment.yaml, SUBMISSION a folder with a student's files.\n"
    "Nothing of it runs on this machine itself, nothing outside of it and of the assignment's\n"
    "public folders is read, and time and memory are bounded (docs/coursework.md).\n"
    "\n"
    "Examples:\n"
    "  warpstep grade labs/transpose submissions/alice\n"
    "  warpstep grade labs/transpose submissions/alice -c right -f tap\n"
    "  warpstep grade labs/transpose --all submissions --out grades --jobs 2\n";

static const char assignment_details[] =
    "check: reads an assignment (a folder with an assignment.yaml) and tests it: its reference\n"
    "must get all points, and each file in mutants/ must fail the checks that it names.\n"
    "pack: makes the folder for students, without solutions and hidden tests, and an autograder\n"
    "for Gradescope.\n"
    "\n"
    "Examples:\n"
    "  warpstep assignment check labs/transpose\n"
    "  warpstep assignment pack labs/transpose --out given_out\n";

static const char advise_details[] = TARGET_IS
    ".\n"
    "\n"
    "The launch is rerun with one change at a time: ideal memory, no bank\n"
    "conflicts, ideal fetch, resources for more warps, other block sizes, register limits,\n"
    "other policies. Changes that hardware allows are marked.\n"
    "\n"
    "Examples:\n"
    "  warpstep advise transpose/tiled.yaml --sms 1\n"
    "  warpstep advise vecadd --sms 1 --all\n";

static const char cc_details[] =
    "Compiles and links whole CUDA programs, host code included, without a CUDA toolkit. It is\n"
    "called as nvcc is, and takes the options of nvcc that docs/programs.md lists. Host code is\n"
    "compiled with the headers of this system, kernels as for a launch file. The program runs its\n"
    "kernels in the simulator.\n"
    "\n"
    "Examples:\n"
    "  warpstep cc -c saxpy.cu -o saxpy.o\n";

const WsCommand ws_commands[] = {
    {"run", "simulate kernels and report where the cycles went", "TARGET [-- ARGUMENTS]",
     run_details, ws_command_run},
    {"step", "step through a run cycle by cycle, forward and back", "TARGET", step_details,
     ws_command_step},
    {"trace", "write the events of a run", "TARGET", trace_details, ws_command_trace},
    {"report", "write a page that shows a run, with a timeline of its warps", "TARGET",
     report_details, ws_command_report},
    {"dap", "let an editor step through a run", "", dap_details, ws_command_dap},
    {"advise", "run what-ifs and rank them by gain", "TARGET", advise_details, ws_command_advise},
    {"sweep", "run a launch file for many values of its parameters", "TARGET", sweep_details,
     ws_command_sweep},
    {"diff", "report where two runs first differ, and how their figures differ", "A B | A --vs [B]",
     diff_details, ws_command_diff},
    {"plot", "plot the results of a sweep", "RESULTS", plot_details, ws_command_plot},
    {"init", "write a launch file for a program of your own", "PROGRAM [KERNEL]", init_details,
     ws_command_init},
    {"copy", "copy a built-in workload to a folder", "WORKLOAD FOLDER", copy_details,
     ws_command_copy},
    {"cc", "compile a whole CUDA program, host code included", "FILE...", cc_details,
     ws_command_cc},
    {"check", "verify a program and list its branches", "TARGET", check_details, ws_command_check},
    {"asm", "write a program in its binary form", "TARGET -o FILE.wsbin", asm_details,
     ws_command_asm},
    {"disasm", "print the bytecode beside its PTX and CUDA lines", "TARGET", disasm_details,
     ws_command_disasm},
    {"occupancy", "compute how many blocks an SM holds, and why",
     "--block N --regs N | --kernel TARGET | --batch FILE", occupancy_details,
     ws_command_occupancy},
    {"devices", "list the devices, or print one with all its settings", "[DEVICE]", devices_details,
     ws_command_devices},
    {"grade", "grade submissions to an assignment", "ASSIGNMENT SUBMISSION", grade_details,
     ws_command_grade},
    {"assignment", "check an assignment, and make the packages for students and graders",
     "check|pack ASSIGNMENT", assignment_details, ws_command_assignment},
    {NULL, NULL, NULL, NULL, NULL},
};

const WsExitCode ws_exit_codes[] = {
    {0, "done"},
    {WS_ERROR_CHECK, "a check failed"},
    {WS_ERROR_USAGE, "usage"},
    {WS_ERROR_INPUT, "bad input"},
    {WS_ERROR_FAULT, "fault in the kernel"},
    {WS_ERROR_DEADLOCK, "deadlock or livelock"},
    {WS_ERROR_LIMIT, "a limit was reached"},
    {WS_ERROR_INTERNAL, "internal error"},
    {0, NULL},
};
