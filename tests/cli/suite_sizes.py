"""Sizes at which the kernels of workloads/suite take a tenth of their time, and are still what their class says."""

SIZES = {
    "compute_black_scholes": ["blocks_of_256=16", "rounds=3"],
    "compute_matmul_registers": ["n=128"],
    "compute_nbody": ["n=512"],
    "compute_polynomial": ["blocks_of_256=16", "rounds=6"],
    "memory_stencil": ["n=256"],
    "memory_strided": ["blocks_of_256=16", "rounds=8"],
    "memory_transpose": ["n=256"],
    "memory_triad": ["blocks_of_256=16", "rounds=16"],
    "cache_convolution": ["width=128"],
    "cache_kmeans": ["n=2048"],
    "cache_lookup": ["blocks_of_256=16", "rounds=16", "entries=12000"],
    "cache_matvec": ["rows=2048"],
    "divergent_collatz": ["blocks_of_256=16"],
    "divergent_gcd": ["blocks_of_256=16", "rounds=1"],
    "divergent_mandelbrot": ["width=96", "limit=64"],
    "divergent_queens": ["n=7"],
    "barrier_bitonic_sort": ["blocks_of_256=16", "rounds=1"],
    "barrier_edit_distance": ["blocks_of_128=32", "rounds=1"],
    "barrier_matmul_tiles": ["n=96"],
    "barrier_reduce": ["blocks_of_256=16", "rounds=8"],
    "barrier_scan": ["blocks_of_256=16", "rounds=4"],
    "atomic_group_by": ["blocks_of_256=16", "rounds=4"],
    "atomic_histogram_global": ["blocks_of_256=16", "rounds=6"],
    "atomic_histogram_shared": ["blocks_of_256=16", "rounds=8"],
    "atomic_work_queue": ["blocks_of_256=8", "items_of_32=1024"],
    "irregular_bfs": ["nodes=8192"],
    "irregular_binary_search": ["blocks_of_256=16", "rounds=1", "entries=100000"],
    "irregular_hash_join": ["n=6000", "log_places=13"],
    "irregular_list": ["blocks_of_256=16", "log_elements=16", "steps=8"],
    "irregular_spmv": ["rows=4096", "degree=12"],
}


def options_of(kernel):
    return [word for size in SIZES[kernel] for word in ("--launch", size)]
