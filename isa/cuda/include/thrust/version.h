/* The version whose documentation the headers follow. */
#pragma once
#define THRUST_VERSION          200000
#define THRUST_MAJOR_VERSION    2
#define THRUST_MINOR_VERSION    0
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_PATCH_NUMBER     0
