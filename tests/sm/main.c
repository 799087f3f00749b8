#include "tests/sm/units.h"

static void add_tests(TCase *cases)
{
    add_barrier_unit(cases);
    add_dependence_check(cases);
    add_dispatcher(cases);
    add_divergence_unit(cases);
    add_eligibility(cases);
    add_front_end(cases);
    add_held_issue(cases);
    add_load_store_queue(cases);
    add_pipes(cases);
    add_register_ports(cases);
    add_stall_accounting(cases);
    add_wake_queue(cases);
    add_watch(cases);
}

int main(void)
{
    return run_suite("units", add_tests);
}
