/*
 * Polynomial coefficients of the math functions. Made by fit_polynomials.py: do not edit.
 */
#ifndef WARPSTEP_MATH_COEFFICIENTS_H
#define WARPSTEP_MATH_COEFFICIENTS_H

__WS_MATH float __ws_poly_expm1f(float x)
{
    float p = 0x1.a124e4p-13f;
    p = __builtin_fmaf(p, x, 0x1.6d4316p-10f);
    p = __builtin_fmaf(p, x, 0x1.1110ep-7f);
    p = __builtin_fmaf(p, x, 0x1.5554eap-5f);
    p = __builtin_fmaf(p, x, 0x1.555556p-3f);
    p = __builtin_fmaf(p, x, 0x1p-1f);
    return p;
}

__WS_MATH float __ws_poly_logf(float x)
{
    float p = 0x1.1d8ea6p-4f;
    p = __builtin_fmaf(p, x, -0x1.d635bcp-4f);
    p = __builtin_fmaf(p, x, 0x1.dea282p-4f);
    p = __builtin_fmaf(p, x, -0x1.fcf4c6p-4f);
    p = __builtin_fmaf(p, x, 0x1.23d21ap-3f);
    p = __builtin_fmaf(p, x, -0x1.555b4ap-3f);
    p = __builtin_fmaf(p, x, 0x1.999d5ap-3f);
    p = __builtin_fmaf(p, x, -0x1.fffffcp-3f);
    p = __builtin_fmaf(p, x, 0x1.555554p-2f);
    return p;
}

__WS_MATH float __ws_poly_powf(float x)
{
    float p = 0x1.ddced8p-12f;
    p = __builtin_fmaf(p, x, 0x1.245c44p-9f);
    p = __builtin_fmaf(p, x, 0x1.9999ecp-7f);
    p = __builtin_fmaf(p, x, 0x1.555556p-4f);
    return p;
}

__WS_MATH float __ws_poly_sinf(float x)
{
    float p = 0x1.6dbe08p-19f;
    p = __builtin_fmaf(p, x, -0x1.a013a8p-13f);
    p = __builtin_fmaf(p, x, 0x1.11110ep-7f);
    p = __builtin_fmaf(p, x, -0x1.555556p-3f);
    return p;
}

__WS_MATH float __ws_poly_cosf(float x)
{
    float p = -0x1.25244ep-22f;
    p = __builtin_fmaf(p, x, 0x1.a015c4p-16f);
    p = __builtin_fmaf(p, x, -0x1.6c16cp-10f);
    p = __builtin_fmaf(p, x, 0x1.555556p-5f);
    return p;
}

__WS_MATH float __ws_poly_tanf(float x)
{
    float p = 0x1.f7ba6p-9f;
    p = __builtin_fmaf(p, x, 0x1.36b996p-10f);
    p = __builtin_fmaf(p, x, 0x1.46708cp-7f);
    p = __builtin_fmaf(p, x, 0x1.623d94p-6f);
    p = __builtin_fmaf(p, x, 0x1.ba529ap-5f);
    p = __builtin_fmaf(p, x, 0x1.111088p-3f);
    p = __builtin_fmaf(p, x, 0x1.555556p-2f);
    return p;
}

__WS_MATH float __ws_poly_asinf(float x)
{
    float p = 0x1.13fed4p-5f;
    p = __builtin_fmaf(p, x, 0x1.18f91ep-6f);
    p = __builtin_fmaf(p, x, 0x1.fd8da2p-6f);
    p = __builtin_fmaf(p, x, 0x1.6d5bbap-5f);
    p = __builtin_fmaf(p, x, 0x1.33343p-4f);
    p = __builtin_fmaf(p, x, 0x1.555554p-3f);
    return p;
}

__WS_MATH float __ws_poly_atanf(float x)
{
    float p = 0x1.86406cp-10f;
    p = __builtin_fmaf(p, x, -0x1.2ba6b6p-7f);
    p = __builtin_fmaf(p, x, 0x1.aefb2cp-6f);
    p = __builtin_fmaf(p, x, -0x1.9115a4p-5f);
    p = __builtin_fmaf(p, x, 0x1.2006f8p-4f);
    p = __builtin_fmaf(p, x, -0x1.6dd8fep-4f);
    p = __builtin_fmaf(p, x, 0x1.c62cdap-4f);
    p = __builtin_fmaf(p, x, -0x1.248952p-3f);
    p = __builtin_fmaf(p, x, 0x1.999956p-3f);
    p = __builtin_fmaf(p, x, -0x1.555556p-2f);
    return p;
}

__WS_MATH float __ws_poly_tanhf(float x)
{
    float p = 0x1.36bdb2p-9f;
    p = __builtin_fmaf(p, x, -0x1.1394cap-7f);
    p = __builtin_fmaf(p, x, 0x1.64fad8p-6f);
    p = __builtin_fmaf(p, x, -0x1.ba0d94p-5f);
    p = __builtin_fmaf(p, x, 0x1.1110f6p-3f);
    p = __builtin_fmaf(p, x, -0x1.555556p-2f);
    return p;
}

__WS_MATH float __ws_poly_sinhf(float x)
{
    float p = 0x1.b557c8p-26f;
    p = __builtin_fmaf(p, x, 0x1.71d208p-19f);
    p = __builtin_fmaf(p, x, 0x1.a01a14p-13f);
    p = __builtin_fmaf(p, x, 0x1.111112p-7f);
    p = __builtin_fmaf(p, x, 0x1.555556p-3f);
    return p;
}

__WS_MATH float __ws_poly_erff(float x)
{
    float p = -0x1.445f48p-17f;
    p = __builtin_fmaf(p, x, 0x1.d8875p-14f);
    p = __builtin_fmaf(p, x, -0x1.bccf66p-11f);
    p = __builtin_fmaf(p, x, 0x1.562a6p-8f);
    p = __builtin_fmaf(p, x, -0x1.b829c8p-6f);
    p = __builtin_fmaf(p, x, 0x1.ce2f08p-4f);
    p = __builtin_fmaf(p, x, -0x1.812746p-2f);
    p = __builtin_fmaf(p, x, 0x1.06eba8p-3f);
    return p;
}

__WS_MATH float __ws_poly_erfcf(float x)
{
    float p = 0x1.2f769ap-16f;
    p = __builtin_fmaf(p, x, 0x1.e727a6p-14f);
    p = __builtin_fmaf(p, x, 0x1.5acbdcp-13f);
    p = __builtin_fmaf(p, x, -0x1.d40114p-12f);
    p = __builtin_fmaf(p, x, -0x1.7795eap-10f);
    p = __builtin_fmaf(p, x, 0x1.4dd7c6p-10f);
    p = __builtin_fmaf(p, x, 0x1.1d9e66p-7f);
    p = __builtin_fmaf(p, x, -0x1.074b84p-7f);
    p = __builtin_fmaf(p, x, -0x1.bc2a0ap-5f);
    p = __builtin_fmaf(p, x, 0x1.4ffa3p-3f);
    p = __builtin_fmaf(p, x, -0x1.5407c4p-3f);
    p = __builtin_fmaf(p, x, -0x1.7bf5eep-4f);
    p = __builtin_fmaf(p, x, 0x1.46e80ep+0f);
    return p;
}

__WS_MATH double __ws_poly_exp(double x)
{
    double p = 0x1.1f72fc730b4ffp-29;
    p = __builtin_fma(p, x, 0x1.af4ddd84882fep-26);
    p = __builtin_fma(p, x, 0x1.27e4db67b4303p-22);
    p = __builtin_fma(p, x, 0x1.71de02375656cp-19);
    p = __builtin_fma(p, x, 0x1.a01a01a6d7808p-16);
    p = __builtin_fma(p, x, 0x1.a01a01abe62ddp-13);
    p = __builtin_fma(p, x, 0x1.6c16c16c162d6p-10);
    p = __builtin_fma(p, x, 0x1.11111111100dfp-7);
    p = __builtin_fma(p, x, 0x1.5555555555556p-5);
    p = __builtin_fma(p, x, 0x1.5555555555557p-3);
    p = __builtin_fma(p, x, 0x1p-1);
    return p;
}

__WS_MATH double __ws_poly_log(double x)
{
    double p = 0x1.e6afc56809cbbp-23;
    p = __builtin_fma(p, x, 0x1.debedbfe95a9ap-21);
    p = __builtin_fma(p, x, 0x1.111d273caf8eap-18);
    p = __builtin_fma(p, x, 0x1.3b137b347f0bdp-16);
    p = __builtin_fma(p, x, 0x1.745d17d353298p-14);
    p = __builtin_fma(p, x, 0x1.c71c71c64c8ccp-12);
    p = __builtin_fma(p, x, 0x1.2492492492959p-9);
    p = __builtin_fma(p, x, 0x1.9999999999998p-7);
    p = __builtin_fma(p, x, 0x1.5555555555555p-4);
    return p;
}

__WS_MATH double __ws_poly_sin(double x)
{
    double p = -0x1.ab17d404c6b98p-41;
    p = __builtin_fma(p, x, 0x1.61217f0b7fddfp-33);
    p = __builtin_fma(p, x, -0x1.ae645412c5607p-26);
    p = __builtin_fma(p, x, 0x1.71de3a546095bp-19);
    p = __builtin_fma(p, x, -0x1.a01a01a019938p-13);
    p = __builtin_fma(p, x, 0x1.111111111111p-7);
    p = __builtin_fma(p, x, -0x1.5555555555555p-3);
    return p;
}

__WS_MATH double __ws_poly_cos(double x)
{
    double p = 0x1.ab785b009f5f4p-45;
    p = __builtin_fma(p, x, -0x1.9394ba0cd6c33p-37);
    p = __builtin_fma(p, x, 0x1.1eed8deb97a95p-29);
    p = __builtin_fma(p, x, -0x1.27e4fb7712d65p-22);
    p = __builtin_fma(p, x, 0x1.a01a01a019d0ap-16);
    p = __builtin_fma(p, x, -0x1.6c16c16c16c16p-10);
    p = __builtin_fma(p, x, 0x1.5555555555555p-5);
    return p;
}

__WS_MATH double __ws_poly_tan(double x)
{
    double p = 0x1.090d7f1df0d83p-18;
    p = __builtin_fma(p, x, -0x1.46fee5738f82cp-17);
    p = __builtin_fma(p, x, 0x1.47c64534122b3p-16);
    p = __builtin_fma(p, x, -0x1.5629f89f1be15p-17);
    p = __builtin_fma(p, x, 0x1.c6ce891b4ab7fp-16);
    p = __builtin_fma(p, x, 0x1.1c9dc4185a244p-15);
    p = __builtin_fma(p, x, 0x1.9e442248c6203p-14);
    p = __builtin_fma(p, x, 0x1.f482786668c74p-13);
    p = __builtin_fma(p, x, 0x1.3563971688be2p-11);
    p = __builtin_fma(p, x, 0x1.7da2a66ef53b9p-10);
    p = __builtin_fma(p, x, 0x1.d6d3d9595be11p-9);
    p = __builtin_fma(p, x, 0x1.226e353ec9d0ep-7);
    p = __builtin_fma(p, x, 0x1.664f48834f964p-6);
    p = __builtin_fma(p, x, 0x1.ba1ba1ba1a515p-5);
    p = __builtin_fma(p, x, 0x1.111111111111bp-3);
    p = __builtin_fma(p, x, 0x1.5555555555555p-2);
    return p;
}

__WS_MATH double __ws_poly_asin(double x)
{
    double p = 0x1.e529c7346692bp-6;
    p = __builtin_fma(p, x, -0x1.3b416c1541e6bp-6);
    p = __builtin_fma(p, x, 0x1.406193170421fp-6);
    p = __builtin_fma(p, x, 0x1.8f19364e6bd85p-9);
    p = __builtin_fma(p, x, 0x1.3162247b377efp-7);
    p = __builtin_fma(p, x, 0x1.3b49de6dc2167p-7);
    p = __builtin_fma(p, x, 0x1.7b027ee251612p-7);
    p = __builtin_fma(p, x, 0x1.c990ad3d85071p-7);
    p = __builtin_fma(p, x, 0x1.1c4efce230728p-6);
    p = __builtin_fma(p, x, 0x1.6e8ba123e4911p-6);
    p = __builtin_fma(p, x, 0x1.f1c71c7a52ba5p-6);
    p = __builtin_fma(p, x, 0x1.6db6db6dac1ep-5);
    p = __builtin_fma(p, x, 0x1.3333333333388p-4);
    p = __builtin_fma(p, x, 0x1.5555555555555p-3);
    return p;
}

__WS_MATH double __ws_poly_atan(double x)
{
    double p = -0x1.8d08725eb7a2dp-17;
    p = __builtin_fma(p, x, 0x1.1f0adb00b1aa3p-13);
    p = __builtin_fma(p, x, -0x1.8a2f3abb111e8p-11);
    p = __builtin_fma(p, x, 0x1.57cc88682e4c2p-9);
    p = __builtin_fma(p, x, -0x1.aef1a8ca3e62dp-8);
    p = __builtin_fma(p, x, 0x1.a1fe88a3f3b81p-7);
    p = __builtin_fma(p, x, -0x1.4b974a1add511p-6);
    p = __builtin_fma(p, x, 0x1.c3ac549a75a9ap-6);
    p = __builtin_fma(p, x, -0x1.147b28222b824p-5);
    p = __builtin_fma(p, x, 0x1.3d3f26d3fd56ap-5);
    p = __builtin_fma(p, x, -0x1.60ebd147d0ea1p-5);
    p = __builtin_fma(p, x, 0x1.854a7b996e68p-5);
    p = __builtin_fma(p, x, -0x1.af00bd567a24cp-5);
    p = __builtin_fma(p, x, 0x1.e1dc0d7676a52p-5);
    p = __builtin_fma(p, x, -0x1.1110bfea8e9f7p-4);
    p = __builtin_fma(p, x, 0x1.3b13aaf4ab9f2p-4);
    p = __builtin_fma(p, x, -0x1.745d16f26d09dp-4);
    p = __builtin_fma(p, x, 0x1.c71c71c472843p-4);
    p = __builtin_fma(p, x, -0x1.249249248c7dap-3);
    p = __builtin_fma(p, x, 0x1.99999999998f9p-3);
    p = __builtin_fma(p, x, -0x1.5555555555555p-2);
    return p;
}

__WS_MATH double __ws_poly_tanh(double x)
{
    double p = 0x1.0a30cacbb48f3p-20;
    p = __builtin_fma(p, x, -0x1.4be65a5d051cfp-18);
    p = __builtin_fma(p, x, 0x1.f7cbd8e7d17ap-17);
    p = __builtin_fma(p, x, -0x1.46635cd16f548p-15);
    p = __builtin_fma(p, x, 0x1.960c56ec95a77p-14);
    p = __builtin_fma(p, x, -0x1.f571e688168e4p-13);
    p = __builtin_fma(p, x, 0x1.3557b9bab0974p-11);
    p = __builtin_fma(p, x, -0x1.7da35eee5fd85p-10);
    p = __builtin_fma(p, x, 0x1.d6d3d0b1df285p-9);
    p = __builtin_fma(p, x, -0x1.226e355de46c2p-7);
    p = __builtin_fma(p, x, 0x1.664f4882bf3dep-6);
    p = __builtin_fma(p, x, -0x1.ba1ba1ba1b9e7p-5);
    p = __builtin_fma(p, x, 0x1.1111111111111p-3);
    p = __builtin_fma(p, x, -0x1.5555555555555p-2);
    return p;
}

__WS_MATH double __ws_poly_sinh(double x)
{
    double p = 0x1.328de900207ccp-57;
    p = __builtin_fma(p, x, 0x1.952654734b367p-49);
    p = __builtin_fma(p, x, 0x1.ae7f44a891372p-41);
    p = __builtin_fma(p, x, 0x1.61246136ddcbp-33);
    p = __builtin_fma(p, x, 0x1.ae64567f56d72p-26);
    p = __builtin_fma(p, x, 0x1.71de3a556c724p-19);
    p = __builtin_fma(p, x, 0x1.a01a01a01a01ap-13);
    p = __builtin_fma(p, x, 0x1.1111111111111p-7);
    p = __builtin_fma(p, x, 0x1.5555555555555p-3);
    return p;
}

__WS_MATH double __ws_poly_erf(double x)
{
    double p = 0x1.3c01fd37f1765p-42;
    p = __builtin_fma(p, x, -0x1.b40e7abe7b8dep-38);
    p = __builtin_fma(p, x, 0x1.9a0fcb5de78a4p-34);
    p = __builtin_fma(p, x, -0x1.517ce02f0b465p-30);
    p = __builtin_fma(p, x, 0x1.fcbb312b4723ap-27);
    p = __builtin_fma(p, x, -0x1.5f73c3bf14a95p-23);
    p = __builtin_fma(p, x, 0x1.b9e6c38e5cf2ap-20);
    p = __builtin_fma(p, x, -0x1.f4d25bf9af039p-17);
    p = __builtin_fma(p, x, 0x1.f9a326f7ac5b1p-14);
    p = __builtin_fma(p, x, -0x1.c02db40035f1ep-11);
    p = __builtin_fma(p, x, 0x1.565bcd0e6a2eep-8);
    p = __builtin_fma(p, x, -0x1.b82ce31288b47p-6);
    p = __builtin_fma(p, x, 0x1.ce2f21a042be2p-4);
    p = __builtin_fma(p, x, -0x1.812746b0379e7p-2);
    p = __builtin_fma(p, x, 0x1.06eba8214db69p-3);
    return p;
}

__WS_MATH double __ws_poly_erfc(double x)
{
    double p = -0x1.dce142f33ccaep-35;
    p = __builtin_fma(p, x, -0x1.8024d227dcddfp-32);
    p = __builtin_fma(p, x, -0x1.23fb5c89603dcp-32);
    p = __builtin_fma(p, x, 0x1.68c7e07c6d16dp-29);
    p = __builtin_fma(p, x, 0x1.f82f9356137eep-29);
    p = __builtin_fma(p, x, -0x1.1656e1cf95314p-26);
    p = __builtin_fma(p, x, -0x1.765ae531379bp-26);
    p = __builtin_fma(p, x, 0x1.dfba51a68f195p-24);
    p = __builtin_fma(p, x, 0x1.5339d541f22bdp-24);
    p = __builtin_fma(p, x, -0x1.bb7c6abbeac41p-21);
    p = __builtin_fma(p, x, 0x1.3844d40277d95p-22);
    p = __builtin_fma(p, x, 0x1.7f2d0fde5c79fp-18);
    p = __builtin_fma(p, x, -0x1.7881251b97f1p-17);
    p = __builtin_fma(p, x, -0x1.9959814e8477ap-16);
    p = __builtin_fma(p, x, 0x1.3be030ec2aefap-13);
    p = __builtin_fma(p, x, -0x1.a1df244c511e4p-13);
    p = __builtin_fma(p, x, -0x1.8d4a99795271ap-11);
    p = __builtin_fma(p, x, 0x1.49c6728541d8cp-8);
    p = __builtin_fma(p, x, -0x1.096238855e158p-6);
    p = __builtin_fma(p, x, 0x1.3079edf6849fcp-5);
    p = __builtin_fma(p, x, -0x1.0fb06dfe485acp-4);
    p = __builtin_fma(p, x, 0x1.7fee004e124a4p-4);
    p = __builtin_fma(p, x, -0x1.9ddb23c3e913p-4);
    p = __builtin_fma(p, x, 0x1.16ecefcfa5399p-4);
    p = __builtin_fma(p, x, 0x1.f7f5df66fd7c1p-7);
    p = __builtin_fma(p, x, -0x1.1df1ad154a28ep-3);
    p = __builtin_fma(p, x, 0x1.3ba5916e9fd7fp+0);
    return p;
}

#endif
