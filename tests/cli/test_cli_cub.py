"""Programs that check their kernels against the host: test_cli_cub.py WARPSTEP PROGRAM.cu"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from clangs import program_obstacle

WARPSTEP, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
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
