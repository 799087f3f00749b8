#ifndef WARPSTEP_SEMAPHORE_H
#define WARPSTEP_SEMAPHORE_H

typedef union {
    char __size[32];
    long __align;
} sem_t;

extern "C" {
int sem_init(sem_t *, int, unsigned int) noexcept;
int sem_destroy(sem_t *) noexcept;
int sem_wait(sem_t *);
int sem_trywait(sem_t *) noexcept;
int sem_post(sem_t *) noexcept;
int sem_getvalue(sem_t *, int *) noexcept;
}

#endif
