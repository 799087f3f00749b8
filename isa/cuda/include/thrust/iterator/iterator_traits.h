/* Thrust's traits of iterators are in execution_policy.h. */
#pragma once
#include "../execution_policy.h"
