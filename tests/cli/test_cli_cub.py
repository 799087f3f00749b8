"""Programs with CUB and Thrust, against the host: test_cli_cub.py WARPSTEP PROGRAM.cu"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG

WARPSTEP, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])


@unittest.skipUnless(HAS_CLANG and pathlib.Path("/usr/include/c++").is_dir(), "no clang or no C++ headers")
class Cub(unittest.TestCase):
    def command(self, *command, **environment):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_values(self):
        with tempfile.TemporaryDirectory() as self.folder:
            self.command(WARPSTEP, "cc", SOURCE, "-o", "program")
            for mode in ("functional", "cycle"):
                with self.subTest(mode):
                    self.assertEqual(self.command("./program", WARPSTEP_MODE=mode), "done\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
