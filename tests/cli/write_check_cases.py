"""The kernels of test_cli_check.py and test_cli_check_source.py for the unit tests of sim/check.

write_check_cases.py HEADER: writes order.cu, order.yaml, source.cu and source.yaml beside HEADER, which says where.
"""
import pathlib
import sys

header = pathlib.Path(sys.argv[1]).absolute()
sys.argv[1:] = ["-", "-"]  # each of the two takes the program's path from here

import test_cli_check  # noqa: E402
import test_cli_check_source  # noqa: E402

for name, module in (("order", test_cli_check), ("source", test_cli_check_source)):
    cu, yaml, _ = module.CASES.sources()
    header.with_name(name + ".cu").write_text(cu)
    header.with_name(name + ".yaml").write_text(yaml.replace("program: cases.cu", f"program: {name}.cu"))
header.write_text(f'#define CHECK_CASES "{header.parent}"\n')
