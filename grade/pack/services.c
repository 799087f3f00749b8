#include "grade/pack/services.h"

#include "grade/pack/parts.h"

const char ws_gradescope_setup[] =
    "#!/usr/bin/env bash\n"
    "# Gradescope runs this once, to make the image. A tarball of Warpstep in this archive needs "
    "glibc\n"
    "# 2.34 (Ubuntu 22.04, Debian 12 or newer); a build from sources needs Debian 12, Ubuntu 24.04 "
    "or\n"
    "# newer.\n"
    "set -eu\n"
    "cd \"${AUTOGRADER:-/autograder}/source\"\n"
    "if [ -f warpstep.tar.xz ]; then\n"
    "    export DEBIAN_FRONTEND=noninteractive\n"
    "    apt-get update -qq\n"
    "    apt-get install -y -qq --no-install-recommends xz-utils python3 >/dev/null\n"
    "    mkdir -p \"${WARPSTEP_FOLDER:=/opt/warpstep}\"\n"
    "    tar -xJf warpstep.tar.xz --strip-components 1 -C \"$WARPSTEP_FOLDER\"\n"
    "    ln -sf \"$WARPSTEP_FOLDER/bin/warpstep\" /usr/local/bin/warpstep\n"
    "    if [ ! -x \"$WARPSTEP_FOLDER/lib/warpstep/clang/bin/clang++\" ]; then\n"
    "        apt-get install -y -qq --no-install-recommends clang-14 >/dev/null ||\n"
    "            apt-get install -y -qq --no-install-recommends clang >/dev/null\n"
    "    fi\n"
    "elif [ -d warpstep ]; then\n"
    "    cd warpstep\n"
    "    . .ci/setup.sh\n"
    "    # shellcheck disable=SC2086\n"
    "    install_packages $build_packages\n"
    "    meson setup build -Dtests=false --prefix /usr/local\n"
    "    meson install -C build\n"
    "elif ! command -v warpstep >/dev/null; then\n"
    "    echo 'no warpstep: pack with --tarball or --source, or use an image that has it' >&2\n"
    "    exit 1\n"
    "fi\n";

const char ws_gradescope_run[] =
    "#!/usr/bin/env bash\n"
    "# Gradescope runs this for each submission.\n"
    "set -u\n"
    "cd \"${AUTOGRADER:-/autograder}\" || exit\n"
    "# The student's name, from which values are drawn, and the time of submission.\n"
    "read_metadata() {\n"
    "    python3 - submission_metadata.json \"$1\" <<'END'\n"
    "import json, sys\n"
    "data = json.load(open(sys.argv[1]))\n"
    "users = sorted(str(user[\"id\"]) for user in data.get(\"users\", []))\n"
    "print({\"student\": \"-\".join(users) or \"unknown\", \"time\": "
    "data[\"created_at\"]}[sys.argv[2]])\n"
    "END\n"
    "}\n"
    "warpstep grade source/assignment submission --student \"$(read_metadata student)\" \\\n"
    "    --submitted \"$(read_metadata time)\" --format gradescope --output results/results.json\n"
    "code=$?\n"
    "# 0: all checks passed, 1: some did not. Anything else is not the student's fault.\n"
    "[ $code -le 1 ] || exit $code\n";

/*
 * The tests and Warpstep come from outside of the student's repository, each at a commit. The
 * actions and the form of the result are those of github.com/classroom-resources: the reporter of
 * version 1 takes from the environment, by the id of a step, what `grade --format classroom`
 * writes.
 */
static const char workflow_head[] =
    "# GitHub Classroom: grades every push, and reports the points.\n"
    "#\n"
    "# The tests are checked out from a repository that students can read and not write: push "
    "this\n"
    "# folder there. Both places are given by `assignment pack --classroom` and `--warpstep`, or "
    "by\n"
    "# variables of the organisation: WARPSTEP_TESTS and WARPSTEP_REPOSITORY (owner/name),\n"
    "# WARPSTEP_TESTS_COMMIT and WARPSTEP_COMMIT (40 digits), WARPSTEP_TESTS_FOLDER (may be "
    "empty).\n"
    "#\n"
    "# Students can edit this file, so what it reports is for them. Final marks come from\n"
    "# `warpstep grade`, run by the teacher on what is in their repositories.\n"
    "name: Autograding Tests\n"
    "on: [push, workflow_dispatch, repository_dispatch]\n"
    "permissions: {checks: write, actions: read, contents: read}\n";

static const char workflow_jobs[] =
    "jobs:\n"
    "  run-autograding-tests:\n"
    "    runs-on: ubuntu-latest\n"
    "    container: debian:12\n"
    "    if: github.actor != 'github-classroom[bot]'\n"
    "    steps:\n"
    "      - name: What is checked out is named by commits\n"
    "        run: |\n"
    "          for commit in \"$TESTS_COMMIT\" ${WARPSTEP+\"$WARPSTEP_COMMIT\"}; do\n"
    "            echo \"$commit\" | grep -Eqx '[0-9a-f]{40}' || { echo 'no commit is given'; exit "
    "1; }\n"
    "          done\n"
    "          for name in \"$TESTS\" ${WARPSTEP+\"$WARPSTEP\"}; do\n"
    "            echo \"$name\" | grep -Eqx '[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+' || { echo 'no "
    "repository is "
    "given'; exit 1; }\n"
    "          done\n"
    "      - uses: actions/checkout@v4\n"
    "        with: {path: submission}\n"
    "      - uses: actions/checkout@v4\n"
    "        with: {path: tests, repository: \"${{ env.TESTS }}\", ref: \"${{ env.TESTS_COMMIT "
    "}}\"}\n";

static const char workflow_builds[] =
    "      - uses: actions/checkout@v4\n"
    "        with: {path: warpstep, repository: \"${{ env.WARPSTEP }}\", ref: \"${{ "
    "env.WARPSTEP_COMMIT }}\"}\n"
    "      - run: warpstep/quickstart\n";

static const char workflow_unpacks[] =
    "      - name: Warpstep\n"
    "        run: |\n"
    "          apt-get update -qq\n"
    "          apt-get install -y -qq --no-install-recommends xz-utils >/dev/null\n"
    "          mkdir warpstep\n"
    "          tar -xJf \"tests/$TESTS_FOLDER/" WS_CLASSROOM_TARBALL
    "\" --strip-components 1 -C warpstep\n"
    "          if [ ! -x warpstep/lib/warpstep/clang/bin/clang++ ]; then\n"
    "            apt-get install -y -qq --no-install-recommends clang-14 >/dev/null\n"
    "          fi\n";

static const char workflow_grades[] =
    "      - name: Grade\n"
    "        id: warpstep\n"
    "        run: |\n"
    "          code=0\n"
    "          PATH=\"$PWD/warpstep/bin:$PWD/warpstep/build/cli:$PATH\"\n"
    "          warpstep grade \"tests/$TESTS_FOLDER\" submission \\\n"
    "            --student \"$GITHUB_REPOSITORY\" --format classroom --output classroom.json || "
    "code=$?\n"
    "          [ $code -le 1 ]  # anything else is not the student's fault\n"
    "          echo \"result=$(base64 -w 0 classroom.json)\" >> \"$GITHUB_OUTPUT\"\n"
    "      - name: Report\n"
    "        uses: classroom-resources/autograding-grading-reporter@v1\n"
    "        env:\n"
    "          WARPSTEP_RESULTS: \"${{ steps.warpstep.outputs.result }}\"\n"
    "        with:\n"
    "          runners: warpstep\n";

/* "owner/name@commit:folder" in its parts; NULL where it is a variable of the organisation. */
typedef struct {
    char *repository, *commit, *folder;
} Place;

static void place_clear(Place *place)
{
    g_free(place->repository);
    g_free(place->commit);
    g_free(place->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Place, place_clear)

static gboolean read_place(const char *option, const char *text, Place *ret, GError **error)
{
    *ret = (Place){0};
    if (text == NULL)
        return TRUE;
    g_autoptr(GRegex) form =
        g_regex_new("^([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)@([0-9a-f]{40})(?::([A-Za-z0-9_./-]+))?$",
                    G_REGEX_DOLLAR_ENDONLY, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(form, text, 0, &match)) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "%s: OWNER/NAME@COMMIT or OWNER/NAME@COMMIT:FOLDER is expected, with all 40 "
                     "digits of the commit",
                     option);
        return FALSE;
    }
    *ret = (Place){g_match_info_fetch(match, 1), g_match_info_fetch(match, 2),
                   g_match_info_fetch(match, 3)};
    return TRUE;
}

static void put_variable(GString *text, const char *name, const char *value, const char *variable)
{
    if (value != NULL)
        g_string_append_printf(text, "  %s: \"%s\"\n", name, value);
    else
        g_string_append_printf(text, "  %s: \"${{ vars.%s }}\"\n", name, variable);
}

char *ws_classroom_workflow(const char *tests, const char *warpstep, gboolean unpacks,
                            GError **error)
{
    g_auto(Place) from = {0}, program = {0};
    if (!read_place("--classroom", tests, &from, error) ||
        !read_place("--warpstep", warpstep, &program, error))
        return NULL;
    GString *text = g_string_new(workflow_head);
    g_string_append(text, "env:\n");
    put_variable(text, "TESTS", from.repository, "WARPSTEP_TESTS");
    put_variable(text, "TESTS_COMMIT", from.commit, "WARPSTEP_TESTS_COMMIT");
    put_variable(text, "TESTS_FOLDER", from.folder, "WARPSTEP_TESTS_FOLDER");
    if (!unpacks) {
        put_variable(text, "WARPSTEP", program.repository, "WARPSTEP_REPOSITORY");
        put_variable(text, "WARPSTEP_COMMIT", program.commit, "WARPSTEP_COMMIT");
    }
    g_string_append(text, workflow_jobs);
    g_string_append(text, unpacks ? workflow_unpacks : workflow_builds);
    g_string_append(text, workflow_grades);
    return g_string_free(text, FALSE);
}
