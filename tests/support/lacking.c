/*
 * lacking PART COMMAND [ARGUMENT...]: runs a command as on a kernel without a part, by a filter
 * under which its system calls fail as they do there. Parts: `landlock`, `seccomp`, `listener`
 * (seccomp before Linux 5.5, or in a container whose manager listens itself).
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int add_rules(scmp_filter_ctx filter, const char *part)
{
    static const char *const landlock[] = {"landlock_create_ruleset", "landlock_add_rule",
                                           "landlock_restrict_self"};
    int bad = 0;
    if (strcmp(part, "landlock") == 0)
        for (unsigned i = 0; i < sizeof landlock / sizeof landlock[0]; i++)
            bad |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
                                    seccomp_syscall_resolve_name(landlock[i]), 0);
    else if (strcmp(part, "seccomp") == 0)
        bad = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0);
    else if (strcmp(part, "listener") == 0)
        bad = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EBUSY), SCMP_SYS(seccomp), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                                       SECCOMP_FILTER_FLAG_NEW_LISTENER));
    else
        bad = -EINVAL;
    return bad;
}

int main(int count, char **arguments)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (count < 3 || filter == NULL || add_rules(filter, arguments[1]) != 0 ||
        seccomp_load(filter) != 0) {
        fprintf(stderr, "lacking: cannot take away what is asked\n");
        return 99;
    }
    seccomp_release(filter);
    execv(arguments[2], arguments + 2);
    perror(arguments[2]);
    return 99;
}
