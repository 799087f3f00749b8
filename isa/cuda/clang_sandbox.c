#include "isa/cuda/clang_sandbox.h"

#include "isa/cuda/landlock_rules.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

void ws_clang_sandbox_init(WsClangSandbox *ret, const char *clang, const char *const *reads)
{
    *ret = (WsClangSandbox){.files = ws_landlock_rules_new(clang, reads),
                            .calls = ws_call_filter_new_for_compiler(),
                            .exec = ws_call_filter_new_for_exec()};
}

void ws_clang_sandbox_clear(WsClangSandbox *sandbox)
{
    if (sandbox->files >= 0)
        close(sandbox->files);
    g_clear_pointer(&sandbox->calls, ws_call_filter_free);
    g_clear_pointer(&sandbox->exec, ws_call_filter_free);
    sandbox->files = -1;
}

/* Only calls that are safe between fork and exec. */
static gboolean send_listener(int report, int listener)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char byte = 0;
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    if (listener >= 0) {
        memset(&control, 0, sizeof control);
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
    }
    return sendmsg(report, &message, MSG_NOSIGNAL) == 1;
}

guint ws_clang_sandbox_enter(const WsClangSandbox *sandbox, int report)
{
    guint parts = 0;
    gboolean may = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    int listener = may && sandbox->exec != NULL ? ws_call_filter_enter_listened(sandbox->exec) : -1;
    if (may && sandbox->files >= 0 && ws_landlock_rules_enter(sandbox->files))
        parts |= WS_PROTECTION_FILES;
    if (send_listener(report, listener) && listener >= 0)
        parts |= WS_PROTECTION_EXEC;
    if (listener >= 0)
        close(listener);
    if (may && sandbox->calls != NULL && ws_call_filter_enter(sandbox->calls))
        parts |= WS_PROTECTION_CALLS;
    return parts;
}
