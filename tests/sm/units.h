/* The units of an SM, one file of tests each; main.c runs them. */
#ifndef WS_TESTS_SM_UNITS_H
#define WS_TESTS_SM_UNITS_H

#include "tests/support/suite.h"

void add_barrier_unit(TCase *cases);
void add_dependence_check(TCase *cases);
void add_dispatcher(TCase *cases);
void add_divergence_unit(TCase *cases);
void add_eligibility(TCase *cases);
void add_front_end(TCase *cases);
void add_held_issue(TCase *cases);
void add_load_store_queue(TCase *cases);
void add_pipes(TCase *cases);
void add_register_ports(TCase *cases);
void add_stall_accounting(TCase *cases);
void add_wake_queue(TCase *cases);
void add_watch(TCase *cases);

#endif
