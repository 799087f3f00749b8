/*
 * Damaged programs: a case of the property tests of which some instructions were replaced at
 * random. Such a program may do anything that the verifier lets pass. Nothing may crash, hang or be
 * written outside of memory; the run ends in some way, the same way each time, and the tiling laws
 * hold.
 */
#ifndef WS_TESTS_PROPERTY_DAMAGE_H
#define WS_TESTS_PROPERTY_DAMAGE_H

#include "tests/support/property_case.h"

/*
 * Damages and runs the case. NULL if all holds, else what does not, to be freed. `*ret_ran` is
 * FALSE if the damaged program was refused.
 */
char *property_damage_check(const PropertyCase *this, gboolean *ret_ran);

#endif
