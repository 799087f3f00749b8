"""Large programs of many shapes, as PTX and as bytecode: for the bounds on what compiling takes.

Each function of PTX and WSASM takes about how many instructions there shall be and returns the text
of a program with one kernel. From the command line: big_programs.py SHAPE COUNT FILE.
"""
import sys

HEAD = """\
.version 7.5
.target sm_80
.address_size 64
"""


def kernel(body, registers="", before=""):
    """A kernel that reads an address to %rd1 and a number to %r1, and stores %r2."""
    return f"""{HEAD}{before}
.visible .entry big(.param .u64 out)
{{
.reg .b32 %r<9>;
.reg .b64 %rd<3>;
.reg .pred %p<3>;
.reg .f32 %f<3>;
{registers}
ld.param.u64 %rd1, [out];
ld.global.u32 %r1, [%rd1];
mov.u32 %r2, %tid.x;
{body}
st.global.u32 [%rd1], %r2;
ret;
}}
"""


def straight(count):
    return kernel("\n".join("mad.lo.u32 %r2, %r2, %r1, 7;" for _ in range(count)))


def values(count):
    """Each value in a register of its own, read by the next instructions."""
    body = ["mov.u32 %v0, %r1;", "mov.u32 %v1, %r2;"]
    body += [f"mad.lo.u32 %v{i}, %v{i - 1}, %v{i - 2}, {i};" for i in range(2, count)]
    body.append(f"mov.u32 %r2, %v{max(count - 1, 1)};")
    return kernel("\n".join(body), f".reg .b32 %v<{max(count, 2)}>;")


def live(count):
    """So many values live at the same time."""
    half = count // 2
    body = [f"mad.lo.u32 %v{i}, %r1, %r2, {i};" for i in range(half)]
    body += [f"xor.b32 %r2, %r2, %v{i};" for i in range(half)]
    return kernel("\n".join(body), f".reg .b32 %v<{half + 1}>;")


def live_across(count):
    """Half as many values, live through as many blocks."""
    few = count // 4
    body = [f"ld.global.u32 %v{i}, [%rd1+{4 * i}];" for i in range(few)]
    for i in range(few):
        body.append(f"setp.eq.u32 %p1, %r1, {i};\n@%p1 bra L{i};\nst.global.u32 [%rd1], %r2;\nL{i}:")
    body += [f"xor.b32 %r2, %r2, %v{i};" for i in range(few)]
    return kernel("\n".join(body), f".reg .b32 %v<{few + 1}>;")


def live_around_loop(count):
    """Values that live through a loop of as many blocks."""
    few = count // 5
    body = [f"ld.global.u32 %v{i}, [%rd1+{4 * i}];" for i in range(few)]
    body.append("again:")
    for i in range(few):
        body.append(f"setp.eq.u32 %p1, %r1, {i};\n@%p1 bra L{i};\nst.global.u32 [%rd1], %v{i};\nL{i}:"
                    f"\nadd.u32 %r1, %r1, %v{i};")
    body.append("setp.lt.u32 %p1, %r1, 99;\n@%p1 bra again;")
    return kernel("\n".join(body), f".reg .b32 %v<{few + 1}>;")


def predicates(count):
    half = count // 2
    body = [f"setp.eq.u32 %q{i}, %r1, {i};" for i in range(half)]
    body += [f"@%q{i} add.u32 %r2, %r2, %r1;" for i in range(half)]
    return kernel("\n".join(body), f".reg .pred %q<{half + 1}>;")


def loops(count):
    body = []
    for i in range(count // 4):
        body.append(f"L{i}:\nadd.u32 %r2, %r2, 3;\nadd.u32 %r1, %r1, %r2;\n"
                    f"setp.lt.u32 %p1, %r1, {i};\n@%p1 bra L{i};")
    return kernel("\n".join(body))


def counted_loops(count):
    """Each loop has variables of its own."""
    body = []
    few = count // 6
    for i in range(few):
        body.append(f"mov.u32 %v{i}, 0;\nL{i}:\nadd.u32 %v{i}, %v{i}, 1;\n"
                    f"mad.lo.u32 %r2, %r2, %v{i}, 5;\nsetp.lt.u32 %p1, %v{i}, %r1;\n@%p1 bra L{i};")
    return kernel("\n".join(body), f".reg .b32 %v<{few + 1}>;")


def nested_loops(count):
    depth = count // 5
    body = [f"L{i}:\nadd.u32 %r2, %r2, {i};" for i in range(depth)]
    for i in reversed(range(depth)):
        body.append(f"add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, {i};\n@%p1 bra L{i};")
    return kernel("\n".join(body))


def nested_counted_loops(count):
    depth = count // 6
    body = [f"mov.u32 %v{i}, %r2;\nL{i}:\nadd.u32 %v{i}, %v{i}, {i};" for i in range(depth)]
    for i in reversed(range(depth)):
        body.append(f"add.u32 %r2, %v{i}, 1;\nsetp.lt.u32 %p1, %r2, {i};\n@%p1 bra L{i};")
    return kernel("\n".join(body), f".reg .b32 %v<{depth + 1}>;")


def nested_ifs(count):
    depth = count // 4
    body = [f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra L{i};\nst.global.u32 [%rd1], %r2;"
            for i in range(depth)]
    body += [f"L{i}:\nadd.u32 %r2, %r2, {i};" for i in reversed(range(depth))]
    return kernel("\n".join(body))


def nested_ifs_one_end(count):
    """All end at the same place."""
    depth = count // 3
    body = [f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra end;\nst.global.u32 [%rd1], %r2;"
            for i in range(depth)]
    return kernel("\n".join(body) + "\nend:")


def nested_if_else(count):
    depth = count // 6
    body = [f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra E{i};\nst.global.u32 [%rd1], %r2;"
            for i in range(depth)]
    body += [f"bra J{i};\nE{i}:\nst.global.u32 [%rd1+4], %r2;\nJ{i}:\nadd.u32 %r2, %r2, {i};"
             for i in reversed(range(depth))]
    return kernel("\n".join(body))


def ifs(count):
    body = [f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra L{i};\nst.global.u32 [%rd1], %r2;\nL{i}:\n"
            f"add.u32 %r2, %r2, %r1;" for i in range(count // 4)]
    return kernel("\n".join(body))


def short_ifs(count):
    """Bodies that become predicated."""
    body = [f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra L{i};\nadd.u32 %r2, %r2, %r1;\nL{i}:"
            for i in range(count // 3)]
    return kernel("\n".join(body))


def nested_short_ifs(count):
    depth = count // 3
    body = [f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra L{i};\nadd.u32 %r2, %r2, %r1;"
            for i in range(depth)]
    body += [f"L{i}:" for i in reversed(range(depth))]
    return kernel("\n".join(body))


def if_else(count):
    body = []
    for i in range(count // 6):
        body.append(f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra E{i};\nst.global.u32 [%rd1], %r2;\n"
                    f"add.u32 %r2, %r2, 5;\nbra J{i};\nE{i}:\nst.global.u32 [%rd1+4], %r2;\nJ{i}:")
    return kernel("\n".join(body))


def returns(count):
    body = [f"setp.eq.u32 %p1, %r2, {i};\n@%p1 ret;\nadd.u32 %r2, %r2, %r1;"
            for i in range(count // 3)]
    return kernel("\n".join(body))


def exits(count):
    """Many ends, each behind code of its own."""
    body = [f"setp.eq.u32 %p1, %r2, {i};\n@%p1 bra L{i};\nst.global.u32 [%rd1], %r2;\nexit;\nL{i}:"
            for i in range(count // 4)]
    return kernel("\n".join(body))


def traps(count):
    body = [f"setp.eq.u32 %p1, %r2, {i};\n@%p1 bra L{i};\nst.global.u32 [%rd1], %r2;\ntrap;\nL{i}:"
            for i in range(count // 4)]
    return kernel("\n".join(body))


def switch(count):
    cases = count // 3
    table = ", ".join(f"C{i}" for i in range(cases))
    body = [f"T: .branchtargets {table};\nbrx.idx %r1, T;"]
    body += [f"C{i}:\nadd.u32 %r2, %r2, {i};\nbra end;" for i in range(cases)]
    return kernel("\n".join(body) + "\nend:")


def switches(count):
    body = []
    for i in range(count // 12):
        body.append(f"T{i}: .branchtargets A{i}, B{i}, C{i};\nbrx.idx %r1, T{i};\n"
                    f"A{i}:\nadd.u32 %r2, %r2, 1;\nbra E{i};\nB{i}:\nadd.u32 %r2, %r2, 2;\n"
                    f"bra E{i};\nC{i}:\nxor.b32 %r2, %r2, 2;\nE{i}:\nadd.u32 %r1, %r2, 1;")
    return kernel("\n".join(body))


FUNCTION = """\
.func (.reg .b32 %ret) twice(.reg .b32 %a)
{
mad.lo.u32 %ret, %a, %a, 1;
ret;
}
"""

PARAM_FUNCTION = """\
.func (.param .b32 ret) twice(.param .b32 a)
{
.reg .b32 %x<3>;
.reg .pred %p;
ld.param.b32 %x1, [a];
setp.eq.u32 %p, %x1, 7;
@%p bra out;
mul.lo.u32 %x1, %x1, 3;
out:
st.param.b32 [ret], %x1;
ret;
}
"""


def calls(count):
    body = ["call (%r2), twice, (%r2);" for _ in range(count // 2)]
    return kernel("\n".join(body), before=FUNCTION)


def param_calls(count):
    body = ["{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r2;\ncall (r), twice, (a);\n"
            "ld.param.b32 %r2, [r];\n}" for _ in range(count // 6)]
    return kernel("\n".join(body), before=PARAM_FUNCTION)


def call_chain(count):
    """Functions that call one another, 30 deep, until so many instructions."""
    functions = [".func (.reg .b32 %ret) f0(.reg .b32 %a)\n{\nadd.u32 %ret, %a, 1;\nret;\n}"]
    for i in range(1, 30):
        functions.append(f".func (.reg .b32 %ret) f{i}(.reg .b32 %a)\n{{\n"
                         f"call (%ret), f{i - 1}, (%a);\nadd.u32 %ret, %ret, %a;\nret;\n}}")
    body = ["call (%r2), f29, (%r2);" for _ in range(max(count // 60, 1))]
    return kernel("\n".join(body), before="\n".join(functions))


def divisions(count):
    """Library functions; each becomes many instructions."""
    body = ["div.u32 %r2, %r1, %r2;\nadd.u32 %r2, %r2, 9;" for _ in range(count // 25)]
    return kernel("\n".join(body))


def labels(count):
    """Jumps to what comes next, each with a label of its own."""
    body = [f"bra L{i};\nL{i}:\nadd.u32 %r2, %r2, %r1;" for i in range(count // 2)]
    return kernel("\n".join(body))


def jumps(count):
    """Blocks that are run in an order other than that of the text."""
    half = count // 2
    order = [(i * 7919) % half for i in range(half)] if half % 7919 else list(range(half))
    place = {b: n for n, b in enumerate(order)}
    body = [f"bra L{order[0]};"]
    for b in range(half):
        n = place[b]
        target = f"L{order[n + 1]}" if n + 1 < half else "end"
        body.append(f"L{b}:\nmad.lo.u32 %r2, %r2, %r1, {b};\nbra {target};")
    return kernel("\n".join(body) + "\nend:")


def irreducible(count):
    """Loops with two entries."""
    body = []
    for i in range(count // 7):
        body.append(f"setp.eq.u32 %p1, %r2, {i};\n@%p1 bra B{i};\nA{i}:\nadd.u32 %r2, %r2, 3;\n"
                    f"B{i}:\nadd.u32 %r1, %r1, %r2;\nsetp.lt.u32 %p2, %r1, {i};\n@%p2 bra A{i};")
    return kernel("\n".join(body))


def ladder(count):
    """Each block may go on or back to any of a few before it."""
    body = []
    few = count // 5
    for i in range(few):
        body.append(f"L{i}:\nadd.u32 %r2, %r2, %r1;\nsetp.eq.u32 %p1, %r2, {i};\n"
                    f"@%p1 bra L{i // 2};\nsetp.eq.u32 %p2, %r2, {i + 1};\n"
                    f"@%p2 bra L{min(few - 1, i + 2 + i // 3)};")
    return kernel("\n".join(body))


def one_header(count):
    """Very many jumps back to one place."""
    body = [f"setp.eq.u32 %p1, %r2, {i};\nadd.u32 %r2, %r2, 1;\n@%p1 bra again;"
            for i in range(count // 3)]
    return kernel("again:\n" + "\n".join(body))


def breaks(count):
    """Loops in loops, each with a way out of all of them."""
    depth = count // 7
    body = [f"L{i}:\nsetp.eq.u32 %p1, %r2, {i};\n@%p1 bra end;\nadd.u32 %r2, %r2, 7;"
            for i in range(depth)]
    for i in reversed(range(depth)):
        body.append(f"add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, {i};\n@%p1 bra L{i};")
    return kernel("\n".join(body) + "\nend:")


def copies(count):
    """Copies of copies, in a loop."""
    few = count // 2
    body = ["mov.u32 %v0, %r2;\nagain:"]
    body += [f"mov.u32 %v{i}, %v{i - 1};\nadd.u32 %v{i - 1}, %v{i}, {i};" for i in range(1, few)]
    body.append(f"mov.u32 %v0, %v{few - 1};\nsetp.lt.u32 %p1, %v0, 77;\n@%p1 bra again;\n"
                "mov.u32 %r2, %v0;")
    return kernel("\n".join(body), f".reg .b32 %v<{few + 1}>;")


def copies_between_blocks(count):
    """One variable that each block sets and the next one reads, as clang writes loops."""
    few = count // 5
    body = ["mov.u32 %v0, %r2;"]
    for i in range(1, few):
        body.append(f"setp.lt.u32 %p1, %v{i - 1}, {i};\nmov.u32 %v{i}, %v{i - 1};\n@%p1 bra L{i};\n"
                    f"ld.global.u32 %r3, [%rd1];\nadd.u32 %v{i}, %v{i}, %r3;\nL{i}:")
    body.append(f"mov.u32 %r2, %v{few - 1};")
    return kernel("\n".join(body), f".reg .b32 %v<{few + 1}>;")


def loads(count):
    half = count // 2
    body = [f"ld.global.u32 %v{i}, [%rd1+{4 * i}];\nadd.u32 %r2, %r2, %v{i};" for i in range(half)]
    return kernel("\n".join(body), f".reg .b32 %v<{half + 1}>;")


def loads_first(count):
    half = count // 2
    body = [f"ld.global.u32 %v{i}, [%rd1+{4 * i}];" for i in range(half)]
    body += [f"add.u32 %r2, %r2, %v{i};" for i in range(half)]
    return kernel("\n".join(body), f".reg .b32 %v<{half + 1}>;")


def stores(count):
    body = [f"st.global.u32 [%rd1+{4 * (i % 5000)}], %r2;" for i in range(count)]
    return kernel("\n".join(body))


def shared(count):
    half = count // 3
    body = [f"st.shared.u32 [s+{4 * (i % 512)}], %r2;\nbar.sync 0;\n"
            f"ld.shared.u32 %r2, [s+{4 * (i * 7 % 512)}];" for i in range(half)]
    return kernel("\n".join(body), before=".shared .align 4 .b8 s[4096];")


def local(count):
    half = count // 2
    body = [f"st.local.u32 [l+{4 * (i % 512)}], %r2;\nld.local.u32 %r2, [l+{4 * (i * 7 % 512)}];"
            for i in range(half)]
    return kernel("\n".join(body), ".local .align 4 .b8 l[4096];")


def wide(count):
    """Values of 64 bits, all live at the same time."""
    half = count // 2
    body = [f"mad.wide.u32 %w{i}, %r1, {i}, %rd1;" for i in range(half)]
    body += [f"add.u64 %rd2, %rd2, %w{i};" for i in range(half)]
    body.append("cvt.u32.u64 %r2, %rd2;")
    return kernel("mov.u64 %rd2, 0;\n" + "\n".join(body), f".reg .b64 %w<{half + 1}>;")


def addresses(count):
    """Address arithmetic, each of its own."""
    few = count // 4
    body = []
    for i in range(few):
        body.append(f"add.u32 %v{i}, %r2, {i};\nmul.wide.u32 %w{i}, %v{i}, 4;\n"
                    f"add.s64 %w{i}, %w{i}, %rd1;\nst.global.u32 [%w{i}], %r2;")
    return kernel("\n".join(body), f".reg .b64 %w<{few + 1}>;\n.reg .b32 %v<{few + 1}>;")


def same_expressions(count):
    few = count // 3
    body = [f"mad.lo.u32 %v{i}, %r1, 5, 7;\nxor.b32 %v{i}, %v{i}, %r1;\nadd.u32 %r2, %r2, %v{i};"
            for i in range(few)]
    return kernel("\n".join(body), f".reg .b32 %v<{few + 1}>;")


def constants(count):
    """Immediates of 32 bits, each another one."""
    body = [f"xor.b32 %r2, %r2, {(i * 2654435761) % 2**32};" for i in range(count // 2)]
    body += [f"fma.rn.f32 %f1, %f1, %f2, 0f{(i * 2654435761) % 2**32:08x};" for i in range(count // 2)]
    return kernel("cvt.rn.f32.u32 %f1, %r1;\nmov.f32 %f2, %f1;\n" + "\n".join(body) +
                  "\ncvt.rzi.u32.f32 %r2, %f1;")


def parameters(count):
    body = ["ld.param.u64 %rd2, [out];\nld.global.u32 %r3, [%rd2];\nadd.u32 %r2, %r2, %r3;"
            for _ in range(count // 3)]
    return kernel("\n".join(body))


def logic(count):
    body = [f"and.b32 %r3, %r2, %r1;\nor.b32 %r4, %r3, {i};\nxor.b32 %r2, %r4, %r3;"
            for i in range(count // 3)]
    return kernel("\n".join(body))


def conditions(count):
    """Guards that follow from one another."""
    few = count // 4
    body = [f"setp.lt.u32 %q{i}, %r2, {i};\n@%q{i} add.u32 %r2, %r2, 3;\n"
            f"@!%q{i} sub.u32 %r2, %r2, %r1;\nselp.u32 %r2, %r2, %r1, %q{i};" for i in range(few)]
    return kernel("\n".join(body), f".reg .pred %q<{few + 1}>;")


def locks(count):
    """Spin loops, one after the other."""
    body = [f"L{i}:\natom.global.cas.b32 %r3, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r3, 0;\n"
            f"@%p1 bra L{i};\nadd.u32 %r2, %r2, 1;\natom.global.exch.b32 %r3, [%rd1], 0;"
            for i in range(count // 5)]
    return kernel("\n".join(body))


def barriers_in_branches(count):
    body = [f"setp.lt.u32 %p1, %r2, {i};\n@%p1 bra L{i};\nbar.sync 0;\nL{i}:\nbar.sync 1;"
            for i in range(count // 4)]
    return kernel("\n".join(body))


def kernels(count):
    """Very many small kernels."""
    text = [HEAD]
    for i in range(count // 8):
        text.append(f".visible .entry k{i}(.param .u64 p)\n{{\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\n"
                    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
                    "add.s64 %rd1, %rd1, %rd2;\nld.global.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, 1;\n"
                    "st.global.u32 [%rd1], %r2;\nret;\n}")
    return "\n".join(text)


def variables(count):
    few = min(count, 60000)
    return kernel("\n".join(f"st.global.u32 [g{i}], %r2;" for i in range(few)),
                  before="\n".join(f".global .u32 g{i} = {i};" for i in range(few)))


def lines(count):
    """A place in the source for every instruction."""
    body = [f".loc 1 {i % 60000 + 1} 3\nmad.lo.u32 %r2, %r2, %r1, 7;" for i in range(count)]
    return kernel("\n".join(body)) + '.file 1 "big.cu"\n'


PTX = {f.__name__: f for f in (
    straight, values, live, live_across, live_around_loop, predicates, loops, counted_loops,
    nested_loops, nested_counted_loops, nested_ifs, nested_ifs_one_end, nested_if_else, ifs,
    short_ifs, nested_short_ifs, if_else, returns, exits, traps, switch, switches, calls,
    param_calls, call_chain, divisions, labels, jumps, irreducible, ladder, one_header, breaks,
    copies, copies_between_blocks, loads, loads_first, stores, shared, local, wide, addresses,
    same_expressions, constants, parameters, logic, conditions, locks, barriers_in_branches,
    kernels, variables, lines)}


# ---- bytecode ---------------------------------------------------------------------------------


def listing(body):
    return f".kernel big\n.param u64 out\n LDC.64 R2, c[out]\n S2R R0, SR_TID.X\n{body}\n EXIT\n"


def asm_straight(count):
    return listing("\n".join(" IMAD R4, R4, R5, R0" for _ in range(count)))


def asm_ifs(count):
    return listing("\n".join(f" ISETP.LT P0, R0, {i}\n@P0 BRA L{i}\n IADD3 R4, R4, 1\nL{i}:"
                             for i in range(count // 3)))


def asm_nested_ifs(count):
    depth = count // 3
    return listing("\n".join(f" ISETP.LT P0, R0, {i}\n@P0 BRA L{i}\n IADD3 R4, R4, 1"
                             for i in range(depth)) + "\n" +
                   "\n".join(f"L{i}:" for i in reversed(range(depth))))


def asm_nested_ifs_bodies(count):
    depth = count // 3
    return listing("\n".join(f" ISETP.LT P0, R0, {i}\n@P0 BRA L{i}" for i in range(depth)) + "\n" +
                   "\n".join(f" IADD3 R4, R4, 1\nL{i}:" for i in reversed(range(depth))))


def asm_loops(count):
    return listing("\n".join(f"L{i}:\n IADD3 R4, R4, 1\n ISETP.LT P0, R4, {i}\n@P0 BRA L{i}"
                             for i in range(count // 3)))


def asm_nested_loops(count):
    depth = count // 3
    return listing("\n".join(f"L{i}:\n IADD3 R4, R4, 1" for i in range(depth)) + "\n" +
                   "\n".join(f" ISETP.LT P0, R4, {i}\n@P0 BRA L{i}"
                             for i in reversed(range(depth))))


def asm_ladder(count):
    few = count // 5
    return listing("\n".join(f"L{i}:\n IADD3 R4, R4, R0\n ISETP.EQ P0, R4, {i}\n"
                             f"@P0 BRA L{i // 2}\n ISETP.EQ P1, R4, R0\n"
                             f"@P1 BRA L{min(few - 1, i + 2 + i // 3)}" for i in range(few)))


def asm_one_header(count):
    return listing("again:\n" + "\n".join(f" ISETP.LT P0, R4, {i}\n@P0 BRA again"
                                          for i in range(count // 2)))


def asm_exits(count):
    return listing("\n".join(f" ISETP.LT P0, R4, {i}\n@P0 EXIT" for i in range(count // 2)))


def asm_branch_exits(count):
    return listing("\n".join(f" ISETP.LT P0, R4, {i}\n@P0 BRA L{i}\n EXIT\nL{i}:"
                             for i in range(count // 3)))


def asm_switch(count):
    cases = count // 4
    return listing(" LDG R6, [R2]\n BRX R6, T\nT:\n" +
                   "\n".join(f" BRA C{i}" for i in range(cases)) + "\n" +
                   "\n".join(f"C{i}:\n IADD3 R4, R4, {i}\n BRA end" for i in range(cases)) +
                   "\nend:")


def asm_calls(count):
    return listing("\n".join(" CALL.REL R20, f" for _ in range(count))) + \
        "f:\n IADD3 R4, R4, 1\n RET.REL R20\n"


def asm_functions(count):
    few = count // 3
    return listing("\n".join(f" CALL.REL R20, f{i}" for i in range(few))) + \
        "\n".join(f"f{i}:\n IADD3 R4, R4, 1\n RET.REL R20" for i in range(few)) + "\n"


def asm_locks(count):
    return listing("\n".join(f"L{i}:\n ATOMG.CAS.E R14, [R2], RZ, R13\n ISETP.NE P0, R14, RZ\n"
                             f"@P0 BRA L{i}\n ATOMG.EXCH.E R14, [R2], RZ"
                             for i in range(count // 4)))


def asm_nested_locks(count):
    depth = count // 5
    return listing("\n".join(f"L{i}:\n ATOMG.CAS.E R14, [R2], RZ, R13\n ISETP.NE P0, R14, RZ\n"
                             f"@P0 BRA L{i}" for i in range(depth)) + "\n" +
                   "\n".join(" ATOMG.EXCH.E R14, [R2], RZ\n IADD3 R4, R4, 1"
                             for _ in range(depth)))


def asm_manual(count):
    body = "\n".join(f" BSSY B0, J{i}\n ISETP.LT P0, R0, {i}\n@P0 BRA L{i}\n IADD3 R4, R4, 1\n"
                     f"L{i}:\nJ{i}:\n BSYNC B0" for i in range(count // 5))
    return listing(".reconvergence manual\n" + body)


def asm_kernels(count):
    return "\n".join(f".kernel k{i}\n IADD3 R4, R4, 1\n EXIT" for i in range(min(count // 2, 4000)))


def asm_labels(count):
    return listing("\n".join(f"L{i}: IADD3 R4, R4, 1" for i in range(count)))


def asm_jumps(count):
    half = count // 2
    order = [(i * 7919) % half for i in range(half)] if half % 7919 else list(range(half))
    place = {b: n for n, b in enumerate(order)}
    body = [f" BRA L{order[0]}"]
    for b in range(half):
        n = place[b]
        body.append(f"L{b}: IADD3 R4, R4, 1\n BRA " +
                    (f"L{order[n + 1]}" if n + 1 < half else "end"))
    return listing("\n".join(body) + "\nend:")


def asm_guards(count):
    return listing("\n".join(f" ISETP.LT P{i % 6}, R{i % 200 + 4}, {i}\n"
                             f"@P{i % 6} IADD3 R{i % 199 + 4}, R{i % 197 + 4}, R{i % 193 + 4}"
                             for i in range(count // 2)))


WSASM = {f.__name__: f for f in (
    asm_straight, asm_ifs, asm_nested_ifs, asm_nested_ifs_bodies, asm_loops, asm_nested_loops,
    asm_ladder, asm_one_header, asm_exits, asm_branch_exits, asm_switch, asm_calls, asm_functions,
    asm_locks, asm_nested_locks, asm_manual, asm_kernels, asm_labels, asm_jumps, asm_guards)}

SHAPES = {**PTX, **WSASM}


def ending(shape):
    return ".wsasm" if shape in WSASM else ".ptx"


if __name__ == "__main__":
    with open(sys.argv[3], "w", encoding="ascii") as file:
        file.write(SHAPES[sys.argv[1]](int(sys.argv[2])))
