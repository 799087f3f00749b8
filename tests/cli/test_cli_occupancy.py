"""Tests of `warpstep occupancy` and `warpstep devices`: test_cli_occupancy.py WARPSTEP"""
import csv
import io
import json
import os
import shutil
import unittest

import test_cli


class Occupancy(test_cli.Case):
    def answer(self, *arguments):
        done = self.run_program("occupancy", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_json(self):
        text = self.answer("--device", "h100", "--block", 256, "--regs", 40, "--smem", 8192,
                           "--format", "json")
        answer = json.loads(text)
        self.assertEqual(answer["blocks_per_sm"], 6)
        self.assertEqual(answer["warps_per_sm"], 48)
        self.assertEqual(answer["occupancy"], 0.75)
        self.assertEqual(answer["limits"], {"warps": 8, "registers": 6, "shared": 25, "blocks": 32,
                                            "barriers": 64})
        self.assertEqual(answer["limiters"], ["registers"])
        self.assertEqual(answer["registers_per_block"], 10240)
        self.assertEqual(answer["shared_bytes_per_block"], 9216)
        self.assertEqual(answer["best_block_sizes"][0], 64)

    def test_text(self):
        text = self.answer("--device", "h100", "--block", 256, "--regs", 40, "--explain", "--curves",
                           "--blocks", 8)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertIn("8 registers a thread less (32) would hold 64 warps, 100.00 %", text)
        self.assertIn("__launch_bounds__(256, 8): a thread may have 32 registers", text)
        self.assertIn("x 4 sub-partitions = 48 warps, / 8, whole blocks: 6", text)
        self.assertEqual(text.count("O"), 3, "one current point a curve")

    def test_carveout_in_bytes_and_percent(self):
        query = ["--device", "rtx4090", "--block", 128, "--regs", 16, "--smem", 5000, "-f", "json"]
        by_bytes = json.loads(self.answer(*query, "--smem-config", 32768))
        by_share = json.loads(self.answer(*query, "--carveout", 30))
        self.assertEqual(by_bytes["blocks_per_sm"], 5)
        self.assertEqual(by_bytes, by_share)

    def test_kernel(self):
        self.changed("grid: 2", "grid: 2")
        answer = json.loads(self.answer("--kernel", "launch.yaml", "--format", "json"))
        self.assertEqual(answer["block"], 64)
        self.assertGreater(answer["regs"], 0)
        self.assertEqual(answer["blocks_per_sm"], 32)

    def test_impossible(self):
        for query, message in (
            (["--block", 0, "--regs", 16], "--block 0: NVIDIA H200 allows 1 to 1024 threads"),
            (["--block", 1025, "--regs", 16], "--block 1025"),
            (["--block", 32, "--regs", 256], "--regs 256"),
            (["--block", 32, "--regs", 16, "--smem", 232449], "--smem 232449"),
            (["--block", 32, "--regs", 16, "--smem", 40000, "--dynamic-smem", 200000], "together"),
            (["--block", 32, "--regs", 16, "--carveout", 101], "--carveout 101"),
            (["--block", 32, "--regs", 16, "--device", "h20"], "no device is called 'h20'"),
        ):
            self.expect(3, message, "occupancy", *query)
        self.expect(2, "--block and --regs are needed", "occupancy")
        self.expect(2, "--format csv goes with", "occupancy", "--block", 1, "--regs", 1, "-f", "csv")

    def test_refused_by_the_rules(self):
        answer = json.loads(self.answer("--block", 1024, "--regs", 65, "--format", "json"))
        self.assertEqual(answer["blocks_per_sm"], 0)
        self.assertEqual(answer["limiters"], ["registers"])

    def test_batch(self):
        (self.folder / "q.csv").write_text(
            "device,block,regs,smem,dynamic_smem,carveout\n"
            "h100,256,40,8192,0,-1\na100,32,16,0,0,-1\nh100,1024,65,0,0,-1\n")
        rows = list(csv.DictReader(io.StringIO(self.answer("--batch", "q.csv", "--format", "csv"))))
        self.assertEqual([r["blocks_per_sm"] for r in rows], ["6", "32", "0"])
        self.assertEqual([r["limiters"] for r in rows], ["registers", "blocks", "registers"])
        self.assertEqual(rows[0]["occupancy"], "0.75")
        self.assertEqual(rows[1]["limit_barriers"], "")

    def test_bad_batch(self):
        for text, message in (
            ("", "q.csv: error: no columns"),
            ("block,regs\n1,1\n", "no column `device`"),
            ("device,block,regs\nh100,0,1\n", "q.csv:2:6: error: a block has at least 1 thread"),
            ("device,block,regs\nh100,x,1\n", "q.csv:2:6: error: expected a whole number"),
            ("device,block,regs\nh100,1\n", "q.csv:2:7: error: number of fields"),
            ("device,block,regs\nh101,1,1\n", "q.csv:2: error: no device is called 'h101'"),
            ("device,block,block\n", "column named twice"),
        ):
            (self.folder / "q.csv").write_text(text)
            self.expect(3, message, "occupancy", "--batch", "q.csv", "--format", "csv")
        self.expect(3, "nothing.csv", "occupancy", "--batch", "nothing.csv")

    def test_batch_of_a_spreadsheet(self):
        """A byte order mark, carriage returns, blanks, empty fields."""
        (self.folder / "q.csv").write_bytes(
            b"\xef\xbb\xbfblock, regs, smem,device,note\r\n 256 , 40,8192, h100 ,a b\r\n"
            b"1024, 16,,,\r\n")
        rows = list(csv.DictReader(io.StringIO(
            self.answer("--batch", "q.csv", "--device", "a100"))))
        self.assertEqual([r["blocks_per_sm"] for r in rows], ["6", "2"])

    def test_batch_with_quotes(self):
        """What is carried over is the same after it as before, whatever is in it."""
        given = [{"name": 'a "b" c', 'the "block" of, it': "x,y", "block": "256", "regs": "32",
                  "device": "h200"},
                 {"name": "two\nlines, \"three\"", 'the "block" of, it': '""', "block": "128",
                  "regs": "40", "device": "a100"}]
        with open(self.folder / "q.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, given[0].keys(), quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(given)
        rows = list(csv.DictReader(io.StringIO(self.answer("--batch", "q.csv"), newline="")))
        self.assertEqual([{key: row[key] for key in given[0]} for row in rows], given)
        self.assertEqual([row["blocks_per_sm"] for row in rows], ["8", "12"])
        (self.folder / "q.csv").write_text('block,regs,note\n256,32,5" disk\n 256 ,"40", "x" \n')
        rows = list(csv.DictReader(io.StringIO(
            self.answer("--batch", "q.csv", "--device", "h200")), skipinitialspace=True))
        self.assertEqual([row["note"].strip() for row in rows], ['5" disk', "x"])
        self.assertEqual([row["blocks_per_sm"] for row in rows], ["8", "6"])
        for text, message in (('1,2,"x\n\n', "q.csv:2:5: error: the quote is not closed"),
                              ('1,2,"x" y\n', "q.csv:2:9: error: text after the closing quote"),
                              ('1,2,"x\ny"\nz,1,1\n', "q.csv:4:1: error: expected a whole number")):
            (self.folder / "q.csv").write_text("block,regs,note\n" + text)
            self.expect(3, message, "occupancy", "--batch", "q.csv", "--device", "h200")

    def test_options_that_do_not_go_together(self):
        (self.folder / "q.csv").write_text("block,regs\n256,40\n")
        query = ["--block", 256, "--regs", 40]
        for message, arguments in (
            ("takes its queries from the file", ["--batch", "q.csv", "--block", 3]),
            ("takes its queries from the file", ["--batch", "q.csv", "--explain"]),
            ("give one of them", [*query, "--carveout", 50, "--smem-config", 65536]),
            ("answer as text", [*query, "--curves", "--format", "json"]),
            ("answer as text", [*query, "--curves", "--explain", "--format", "csv"]),
        ):
            self.expect(2, message, "occupancy", *arguments)

    def test_shared_memory_in_bytes(self):
        def carveout(*arguments):
            return json.loads(self.answer("--block", 256, "--regs", 40, "--format", "json",
                                          *arguments))["carveout_bytes"]
        self.assertEqual(carveout("--smem-config", 32768), 32768)
        self.assertEqual(carveout("--smem-config", 0), carveout("--carveout", 0))
        self.assertLess(carveout("--smem-config", 0), carveout())

    def test_device_of_the_launch_file(self):
        target = ["--kernel", "scheduling_example", "--format", "json"]
        self.assertEqual(json.loads(self.answer(*target))["device"], "textbook machine")
        self.assertEqual(json.loads(self.answer(*target, "--device", "a100"))["device"],
                         "NVIDIA A100")

    def test_curves_as_csv(self):
        text = self.answer("--block", 128, "--regs", 32, "--curves", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(text)))
        here = {r["curve"]: r["x"] for r in rows if r["current"] == "1"}
        self.assertEqual(here, {"block_size": "128", "registers": "32", "shared_memory": "0"})

    @unittest.skipIf(shutil.which("gnuplot") is None, "gnuplot is not installed")
    def test_plot(self):
        self.answer("--block", 128, "--regs", 32, "--plot", "curves.svg")
        self.assertIn("<svg", (self.folder / "curves.svg").read_text()[:2000])
        self.expect(3, "must end in .svg or .png", "occupancy", "--block", 1, "--regs", 1, "--plot",
                    "curves.pdf")

    def test_devices(self):
        done = self.run_program("devices", "h200", "--limits")
        for name in ("maxThreadsPerBlock           1024", "regsPerMultiprocessor        65536",
                     "sharedMemPerBlockOptin       232448", "registerAllocationUnit       256"):
            self.assertIn(name, done.stdout)

    def test_units(self):
        """Of a sub-core, an SM and all SMs: the numbers of the white papers and data sheets."""
        for name, cores, tensor in (("h200", (32, 128, 16896), (1, 4, 528)), ("a100", (16, 64, 6912), (1, 4, 432)),
                                    ("v100", (16, 64, 5120), (2, 8, 640)), ("t4", (16, 64, 2560), (2, 8, 320)),
                                    ("rtx3090", (32, 128, 10496), (1, 4, 328)),
                                    ("rtx4090", (32, 128, 16384), (1, 4, 512)),
                                    ("rtx5090", (32, 128, 21760), (1, 4, 680))):
            text = self.run_program("devices", name, "--limits").stdout
            self.assertIn("FP32 lanes (CUDA cores)      %d, %d, %d\n" % cores, text, name)
            self.assertIn("tensor cores                 %d, %d, %d\n" % tensor, text, name)
        text = self.run_program("devices", "h200", "--limits").stdout
        self.assertIn("registers (KB)               64, 256, 33792\n", text)
        self.assertNotIn("tensor cores", self.run_program("devices", "thor", "--limits").stdout)

    def test_calculator(self):
        """What cudaOccupancyMaxPotentialBlockSize and ...AvailableDynamicSMemPerBlock answer."""
        done = self.run_program("occupancy", "--device", "h100", "--block", "256", "--regs", "40", "--smem", "8192",
                                "--blocks", "6", "--explain", "--curves")
        self.assertIn("64 (smallest), 96, 128, 192, 256, 384, 512, 768\n", done.stdout)
        self.assertIn("__launch_bounds__(256, 6): a thread may have 40 registers\n"
                      "6 blocks: each may have 29696 bytes of dynamic shared memory\n", done.stdout)
        for curve in ("threads per block (here: 256)", "registers per thread (here: 40)",
                      "shared memory per block (bytes) (here: 8192)"):
            self.assertIn(f"warps by {curve}", done.stdout)
        done = self.run_program("occupancy", "--device", "h100", "--block", "32", "--regs", "16", "--smem", "9000",
                                "--blocks", "32")
        self.assertIn("32 blocks: their shared memory does not fit\n", done.stdout)

    @unittest.skipIf(os.path.exists("/dev/nvidia0"), "there is a device")
    def test_probe_without_device(self):
        self.expect(3, "error: there is no CUDA", "devices", "--probe")
        self.expect(2, "the number of a CUDA device", "devices", "--probe", "x")


if __name__ == "__main__":
    unittest.main()
