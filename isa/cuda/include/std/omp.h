/* OpenMP's functions for host code. Its pragmas mean nothing here. */
#ifndef WARPSTEP_OMP_H
#define WARPSTEP_OMP_H

typedef struct {
    void *__lock;
} omp_lock_t, omp_nest_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4 } omp_sched_t;

extern "C" {
int omp_get_num_threads(void) noexcept;
int omp_get_max_threads(void) noexcept;
int omp_get_thread_num(void) noexcept;
int omp_get_num_procs(void) noexcept;
int omp_in_parallel(void) noexcept;
void omp_set_num_threads(int) noexcept;
void omp_set_dynamic(int) noexcept;
int omp_get_dynamic(void) noexcept;
void omp_set_nested(int) noexcept;
int omp_get_nested(void) noexcept;
void omp_set_schedule(omp_sched_t, int) noexcept;
int omp_get_level(void) noexcept;
int omp_get_thread_limit(void) noexcept;
int omp_get_num_devices(void) noexcept;
int omp_get_default_device(void) noexcept;
void omp_set_default_device(int) noexcept;
double omp_get_wtime(void) noexcept;
double omp_get_wtick(void) noexcept;
void omp_init_lock(omp_lock_t *) noexcept;
void omp_destroy_lock(omp_lock_t *) noexcept;
void omp_set_lock(omp_lock_t *) noexcept;
void omp_unset_lock(omp_lock_t *) noexcept;
int omp_test_lock(omp_lock_t *) noexcept;
}

#endif
