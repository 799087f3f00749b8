/*
 * Namespace cuda: pipeline. Copies are complete when memcpy_async() returns, so that a pipeline is
 * what lets producers and consumers wait for each other's stages; one thread by itself never waits.
 */
#ifndef WARPSTEP_LIBCU_PIPELINE_H
#define WARPSTEP_LIBCU_PIPELINE_H

#include "warpstep/libcu/barrier.h"

namespace cuda
{

enum class pipeline_role { producer, consumer };

template <thread_scope Scope> class pipeline;

template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state
{
    friend class pipeline<Scope>;
    barrier<Scope> produced[Stages], consumed[Stages];
    int producers, consumers;

  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
};

template <thread_scope Scope> class pipeline
{
    /* A thread's place: a stage, and whether the pipeline has been around an odd number of times. */
    struct place {
        unsigned int stage;
        bool odd;
    };
    barrier<Scope> *produced, *consumed;
    unsigned int stages;
    place head, tail;
    bool first_round;

    __WS_DEVICE_MEMBER void advance(place &at)
    {
        if (++at.stage == stages) {
            at.stage = 0;
            at.odd = !at.odd;
        }
    }

  public:
    pipeline(pipeline &&) = default;
    pipeline &operator=(pipeline &&) = delete;

    /* Of a group whose threads each say what they are. */
    template <typename Group, unsigned char Stages>
    __WS_DEVICE_MEMBER pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                bool produces, bool consumes)
        : produced(state->produced), consumed(state->consumed), stages(Stages), head{0, false},
          tail{0, false}, first_round(true)
    {
        if (group.thread_rank() == 0)
            state->producers = state->consumers = 0;
        group.sync();
        atomic_ref<int, Scope>(state->producers).fetch_add(produces, memory_order_relaxed);
        atomic_ref<int, Scope>(state->consumers).fetch_add(consumes, memory_order_relaxed);
        group.sync();
        for (unsigned int i = group.thread_rank(); i < Stages; i += group.size()) {
            init(&produced[i], state->producers);
            init(&consumed[i], state->consumers);
        }
        group.sync();
    }
    __WS_DEVICE_MEMBER void producer_acquire()
    {
        if (!first_round)
            consumed[head.stage].wait_parity(!head.odd);
    }
    __WS_DEVICE_MEMBER void producer_commit()
    {
        (void)produced[head.stage].arrive();
        advance(head);
        first_round = first_round && head.stage != 0;
    }
    __WS_DEVICE_MEMBER void consumer_wait()
    {
        produced[tail.stage].wait_parity(tail.odd);
    }
    __WS_DEVICE_MEMBER void consumer_release()
    {
        (void)consumed[tail.stage].arrive();
        advance(tail);
    }
};

template <> class pipeline<thread_scope_thread>
{
  public:
    __WS_DEVICE_MEMBER void producer_acquire()
    {
    }
    __WS_DEVICE_MEMBER void producer_commit()
    {
        __ws_hold_accesses();
    }
    __WS_DEVICE_MEMBER void consumer_wait()
    {
        __ws_hold_accesses();
    }
    __WS_DEVICE_MEMBER void consumer_release()
    {
    }
};

__WS_DEVICE pipeline<thread_scope_thread> make_pipeline()
{
    return pipeline<thread_scope_thread>();
}
/* All threads are both. */
template <typename Group, thread_scope Scope, unsigned char Stages>
static __WS_DEVICE_MEMBER pipeline<Scope> make_pipeline(const Group &group,
                                                        pipeline_shared_state<Scope, Stages> *state)
{
    return pipeline<Scope>(group, state, true, true);
}
/* The first threads of the group produce. */
template <typename Group, thread_scope Scope, unsigned char Stages>
static __WS_DEVICE_MEMBER pipeline<Scope> make_pipeline(const Group &group,
                                                        pipeline_shared_state<Scope, Stages> *state,
                                                        ::size_t producers)
{
    const bool produces = group.thread_rank() < producers;
    return pipeline<Scope>(group, state, produces, !produces);
}
template <typename Group, thread_scope Scope, unsigned char Stages>
static __WS_DEVICE_MEMBER pipeline<Scope> make_pipeline(const Group &group,
                                                        pipeline_shared_state<Scope, Stages> *state,
                                                        pipeline_role role)
{
    return pipeline<Scope>(group, state, role == pipeline_role::producer,
                           role == pipeline_role::consumer);
}

template <typename T, typename Shape, thread_scope Scope>
static __WS_DEVICE_MEMBER void memcpy_async(T *to, const T *from, Shape bytes, pipeline<Scope> &)
{
    detail::copy(to, from, bytes, 0, 1);
}
template <typename Group, typename T, typename Shape, thread_scope Scope>
static __WS_DEVICE_MEMBER void memcpy_async(const Group &group, T *to, const T *from, Shape bytes,
                                            pipeline<Scope> &)
{
    detail::copy(to, from, bytes, group.thread_rank(), group.size());
}

template <unsigned char Prior>
static __WS_DEVICE_MEMBER void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe)
{
    pipe.consumer_wait();
}
/* The barrier would wait for the copies so far, which are complete. */
template <thread_scope Scope>
static __WS_DEVICE_MEMBER void pipeline_producer_commit(pipeline<thread_scope_thread> &pipe,
                                                        barrier<Scope> &)
{
    pipe.producer_commit();
}

} // namespace cuda

#endif
