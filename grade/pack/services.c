#include "grade/pack/services.h"

#include "grade/pack/parts.h"

const char ws_gradescope_setup[] =
    "#!/usr/bin/env bash\n"
    "# Gradescope runs this once, to make the image: Debian 12, Ubuntu 24.04 or newer.\n"
    "set -eu\n"
    "cd \"${AUTOGRADER:-/autograder}/source\"\n"
    "if [ -d warpstep ]; then\n"
    "    cd warpstep\n"
    "    . .ci/setup.sh\n"
    "    # shellcheck disable=SC2086\n"
    "    install_packages $build_packages\n"
    "    meson setup build -Dtests=false --prefix /usr/local\n"
    "    meson install -C build\n"
    "elif ! command -v warpstep >/dev/null; then\n"
    "    echo 'no warpstep: pack with --source, or use an image that has it' >&2\n"
    "    exit 1\n"
    "fi\n";

const char ws_gradescope_run[] =
    "#!/usr/bin/env bash\n"
    "# Gradescope runs this for each submission.\n"
    "set -u\n"
    "cd \"${AUTOGRADER:-/autograder}\" || exit\n"
    "# Whose it is, for numbers that are drawn, and when it came in.\n"
    "read_metadata() {\n"
    "    python3 - submission_metadata.json \"$1\" <<'END'\n"
    "import json, sys\n"
    "data = json.load(open(sys.argv[1]))\n"
    "users = sorted(str(user[\"id\"]) for user in data.get(\"users\", []))\n"
    "print({\"student\": \"-\".join(users) or \"unknown\", \"time\": "
    "data[\"created_at\"]}[sys.argv[2]])\n"
    "END\n"
    "}\n"
    "warpstep grade source/assignment submission --student \"$(read_metadata student)\" \\\n"
    "    --submitted \"$(read_metadata time)\" --format gradescope --output results/results.json\n"
    "code=$?\n"
    "# 0: all checks passed, 1: some did not. Anything else is not the student's fault.\n"
    "[ $code -le 1 ] || exit $code\n";

static const char workflow_head[] =
    "# GitHub Classroom: grades every push with the tests that students have. Set the variable\n"
    "# WARPSTEP_REPOSITORY of the organisation to the repository of Warpstep, as owner/name.\n"
    "name: Grade\n"
    "on: [push]\n"
    "jobs:\n"
    "  grade:\n"
    "    runs-on: ubuntu-latest\n"
    "    container: debian:12\n"
    "    steps:\n"
    "      - uses: actions/checkout@v4\n"
    "        with: {path: submission}\n"
    "      - uses: actions/checkout@v4\n"
    "        with: {path: warpstep, repository: \"${{ vars.WARPSTEP_REPOSITORY }}\"}\n"
    "      - run: warpstep/quickstart\n";

/* A shell takes what stands between single quotes as it is. */
char *ws_classroom_workflow(const WsAssignment *assignment)
{
    GString *text = g_string_new(workflow_head);
    for (guint i = 0; i < assignment->rules->len; i++) {
        const WsRule *rule = ws_assignment_rule(assignment, i);
        if (!ws_is_given_out(assignment, rule))
            continue;
        g_autofree char *name = g_shell_quote(rule->name);
        g_string_append_printf(text,
                               "      - if: always()\n"
                               "        run: |\n"
                               "          warpstep/build/cli/warpstep grade submission submission"
                               " --check %s\n",
                               name);
    }
    return g_string_free(text, FALSE);
}
