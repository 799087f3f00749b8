"""A kernel that runs for billions of cycles, for tests that interrupt it."""
import pathlib

LONG_LOOP = """.kernel k
.param u64 out
    S2R R0, SR_TID.X ;
    MOV R1, 0x7fffffff ;
round:
    IADD3 R1, R1, -0x1, RZ ;
    ISETP.NE.AND P0, PT, R1, RZ, PT ;
    @P0 BRA round ;
    EXIT ;
"""
LAUNCH = """version: 1
program: k.wsasm
buffers: {out: {type: s32, count: 1}}
kernel: k
grid: 1
block: 32
params: [{ref: out}]
"""


def write_long_loop(folder):
    """Writes k.wsasm and k.yaml; the path of the latter."""
    pathlib.Path(folder, "k.wsasm").write_text(LONG_LOOP)
    pathlib.Path(folder, "k.yaml").write_text(LAUNCH)
    return str(pathlib.Path(folder, "k.yaml"))
