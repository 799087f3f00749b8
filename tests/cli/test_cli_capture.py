"""Launches of whole CUDA programs as launch files: test_cli_capture.py WARPSTEP"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from clangs import program_obstacle

WARPSTEP = pathlib.Path(sys.argv[1]).resolve()
THREE = """#include <cstdio>
struct Node { float *data; int n; };
struct Args { int n; float scale; short odd; };
__constant__ float taps[3] = {1, 2, 1};
__device__ unsigned total, arrived;
__global__ void scale(Args a, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // warpstep: region product
    if (i < a.n)
        x[i] *= a.scale * taps[i % 3];
    // warpstep: end
}
__global__ void reverse(Node *nodes, const double *by)
{
    extern __shared__ float tile[];
    int i = threadIdx.x;
    Node n = nodes[blockIdx.x];
    tile[i] = i < n.n ? n.data[i] : 0;
    __syncthreads();
    if (i < n.n)
        n.data[i] = tile[n.n - 1 - i] * *by;
    if (i == 0)
        atomicAdd(&total, n.n);
}
template <typename T, int N> __global__ void both(float *x, T by, long skip, float tiny)
{
    x[blockIdx.x * 32 + threadIdx.x] += by;
    __syncthreads();
    if (threadIdx.x == 0)
        for (atomicAdd(&arrived, 1); atomicAdd(&arrived, 0) < gridDim.x;) {
        }
    __syncthreads();
    if (blockIdx.x == 0)
        x[threadIdx.x] += x[32 + threadIdx.x] + skip + tiny + N;
}
int main(int count, char **argument)
{
    float *a, *b, h[1000], turned[3] = {3, -2, 3};
    static double by[64];
    Node *nodes;
    if (cudaMalloc(&a, sizeof h) != cudaSuccess)
        return 1;
    if (count > 2)
        std::fclose(std::fopen(argument[2], "w"));
    cudaMalloc(&b, 400);
    cudaMallocManaged(&nodes, 2 * sizeof(Node));
    double *mine = (double *)(((size_t)by + 127) / 128 * 128);
    *mine = 0.5;
    cudaHostRegister(mine, 8, 0);
    for (int i = 0; i < 1000; i++)
        h[i] = i;
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, 400, cudaMemcpyHostToDevice);
    nodes[0] = {a, 100};
    nodes[1] = {b, 60};
    scale<<<8, 128>>>(Args{1000, 1.5f, 3}, a);
    reverse<<<2, 128, 512>>>(nodes, mine);
    cudaMemcpyToSymbol(taps, turned, sizeof turned);
    scale<<<8, 128>>>(Args{98, 2, 3}, b + 2);
    double d = -0.1;
    long skip = -5;
    float tiny = -0.0f;
    void *arguments[] = {&b, &d, &skip, &tiny};
    cudaLaunchCooperativeKernel((void *)both<double, 2>, 2, 32, arguments);
    cudaMemcpy(h, b, 400, cudaMemcpyDeviceToHost);
    unsigned t;
    cudaMemcpyFromSymbol(&t, total, sizeof t);
    std::printf("%u %g %g %s\\n", t, h[0], h[50], cudaGetErrorString(cudaGetLastError()));
    if (count == 2)
        scale<<<8, 128>>>(Args{1000, 2, 3}, b);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class Capture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        (cls.folder / "three.cu").write_text(THREE)
        done = subprocess.run([WARPSTEP, "cc", "three.cu", "-o", "three"], cwd=cls.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def command(self, *command, code=0, folder=None, **environment):
        done = subprocess.run([str(word) for word in command], cwd=folder or self.folder, capture_output=True, text=True,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def three(self, name, *arguments, code=0, **environment):
        """The program with its launches captured to `name`, and the JSON of each launch of it."""
        report = self.folder / (name.replace("/", "_") + ".json")
        # The sources are those of the program, wherever it runs and whatever became of the files.
        done = self.command("./three", *arguments, code=code, WARPSTEP_CAPTURE=name,
                            WARPSTEP_REPORT="json:" + report.name, **environment)
        parts = re.split(r",\n(?={)", report.read_text()[2:-3])
        return done, parts, sorted((self.folder / name).glob("*.yaml"))

    def test_replay_is_the_same_to_the_byte(self):
        for name, environment in (("plain", {}), ("other", {"WARPSTEP_DEVICE": "a100",
                                                            "WARPSTEP_SET": "sms=2,memory.l2.near_latency=300",
                                                            "WARPSTEP_POLICY": "lrr"})):
            done, parts, files = self.three(name, "fault", code=1, **environment)
            self.assertEqual([file.name for file in files],
                             ["0001-scale.yaml", "0002-reverse.yaml", "0003-scale.yaml",
                              "0004-both_double__2_.yaml", "0005-scale.yaml"])
            self.assertIn("160 ", done.stdout)
            for number, (part, file) in enumerate(zip(parts, files)):
                stops = number == 4
                replay = self.command(WARPSTEP, "run", file, "--format", "json", code=4 if stops else 0, folder="/")
                self.assertEqual(replay.stdout, part + "\n", file.name)
            document = json.loads(parts[4])
            self.assertRegex(document["error"]["message"], r"buffer 'cudaMalloc_2' \(u8\[400\]\)")
            self.assertEqual(list(json.loads(parts[0])["regions"]), ["product"])

    def test_other_commands_take_it(self):
        _, _, files = self.three("uses", WARPSTEP_KERNEL="reverse")
        self.assertEqual([file.name for file in files], ["0002-reverse.yaml"])
        text = files[0].read_text()
        self.assertIn("device: h200\n", text)
        self.assertIn("      - {ref: cudaMallocManaged_3}\n", text)
        said = self.command(WARPSTEP, "step", files[0], "--batch", "-e", "break three.cu:22", "-e", "continue", "-e", "list").stdout
        self.assertIn("n.data[i] = tile[n.n - 1 - i] * *by;", said)
        self.command(WARPSTEP, "sweep", files[0], "-P", "block=100,128", "-P", "sms=1,2", "-o", "study")
        self.assertEqual(len((self.folder / "study/runs.csv").read_text().splitlines()), 5)
        self.command(WARPSTEP, "run", files[0], "--confine", "--record", "one.wsrec")
        self.command(WARPSTEP, "diff", "one.wsrec", files[0])
        out = self.command(WARPSTEP, "run", files[0], "--functional", "--print", "cudaMalloc_1[0:4]").stdout
        self.assertIn("cudaMalloc_1", out)

    def test_linked_device_code(self):
        self.command(WARPSTEP, "cc", "-rdc=true", "three.cu", "-o", "linked")
        self.command("./linked", WARPSTEP_CAPTURE="rdc", WARPSTEP_KERNEL="reverse")
        said = self.command(WARPSTEP, "step", "rdc/0002-reverse.yaml", "--batch", "-e", "break three.cu:22", "-e", "continue",
                            "-e", "list").stdout
        self.assertIn("n.data[i] = tile[n.n - 1 - i] * *by;", said)

    def test_selected_launches(self):
        for kernel, names, said in (("scale", ["0001-scale.yaml", "0003-scale.yaml"], ""),
                                    ("scale,2", ["0003-scale.yaml"], ""),
                                    ("both<double, 2>", ["0004-both_double__2_.yaml"], ""),
                                    ("both", ["0004-both_double__2_.yaml"], ""),
                                    ("scale,3", [], "has launched 'scale' 2 times"),
                                    ("scales", [], "never launched 'scales'")):
            with self.subTest(kernel):
                done, _, files = self.three("only " + kernel, WARPSTEP_KERNEL=kernel)
                self.assertEqual([file.name for file in files], names)
                self.assertIn(said, done.stderr)
        said = self.command("./three", code=1, WARPSTEP_KERNEL="scale,0").stderr
        self.assertIn("WARPSTEP_KERNEL is NAME or NAME,NTH, the first is 1, not 'scale,0'", said)

    def test_folders_around_are_made(self):
        _, _, files = self.three("for/each/program")
        self.assertGreater(len(files), 0)

    def test_nothing_is_left_as_if_whole(self):
        (self.folder / "full").mkdir()
        (self.folder / "full/something").write_text("")
        said = self.command("./three", code=1, WARPSTEP_CAPTURE="full").stderr
        self.assertIn("WARPSTEP_CAPTURE: the folder is not empty", said)
        below = self.command("./three", code=1, WARPSTEP_CAPTURE="full/something/place").stderr
        self.assertIn("WARPSTEP_CAPTURE: full/something/place: Not a directory", below)
        # A file where the folder of the data would be.
        done = self.command("./three", "spoil", "short/data", WARPSTEP_CAPTURE="short")
        self.assertRegex(done.stderr, "short/data/.*: Not a directory; no more launches are captured\n$")
        self.assertIn("160 ", done.stdout)
        self.assertEqual(list((self.folder / "short").glob("*.yaml")), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
