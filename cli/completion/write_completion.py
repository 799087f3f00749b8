"""Completion for shells from the tables of the commands: write_completion.py COMMANDS.json BASH ZSH FISH

What follows an option is known by what stands for its value (cli/command.h): a list of names, files
by their suffix, folders, or settings. The arguments of a command are known by its usage.
"""
import json
import re
import sys

PROGRAMS = [".cu", ".ptx", ".wsasm", ".wsbin", ".sass"]
NOTE = "# Made from the tables of the commands by cli/completion/write_completion.py."


class Tables:
    def __init__(self, path):
        with open(path) as file:
            self.all = json.load(file)
        self.commands = self.all["commands"]

    def kinds(self, value, command, option=None):
        """How a value is completed: (kind, names, suffixes of files); the kind is None if not at all."""
        if value == "DEVICE":
            return "names", self.all["devices"], [".yaml"]
        if value == "POLICY":
            return "names", self.all["policies"], []
        if value == "WORKLOAD":
            return "names", self.all["workloads"], []
        if value == "TARGET":
            text = command["details"]
            return "names", self.all["workloads"], [".yaml"] + [s for s in PROGRAMS if s in text]
        if value.startswith("FILE"):
            suffix = re.search(r"\.\w+$", value)
            named = re.findall(r"\.(?:svg|png|csv|wsbin)\b", option["help"] if option else "")
            return "files", [], [suffix.group()] if suffix else named
        if value == "FOLDER":
            return "folders", [], []
        if value == "PATH=VALUE":
            return "settings", [], []
        if "|" in value:
            return "names", value.split("|"), []
        return None, [], []

    def positional(self, command):
        """As kinds(), for the arguments: the first word of the usage that is one."""
        words = re.findall(r"(?<!-)\b[A-Z]{4,}\b", re.sub(r"--?\w+ \S+", "", command["usage"]))
        for word in words:
            kind = self.kinds(word, command)
            if kind[0]:
                return kind
        return None, [], []


def quoted(text):
    """For a shell, in single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


# ---- bash ----------------------------------------------------------------------------------------


BASH = """\
# bash completion for warpstep
@NOTE@

# The words up to the cursor as the user wrote them: bash cuts them at = and :.
_warpstep_words() {
    local line=${COMP_LINE:0:COMP_POINT}
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
}

# _warpstep_names PREFIX WORDS: those of the words that begin so.
_warpstep_names() {
    local word
    for word in $2; do
        [[ $word == "$1"* ]] && COMPREPLY+=("$word")
    done
}

# _warpstep_files PREFIX [SUFFIX...]: files, those with one of the suffixes if any is given; folders.
_warpstep_files() {
    local prefix=$1 suffix path
    shift
    compopt -o filenames 2>/dev/null
    while read -r path; do
        COMPREPLY+=("$path")
    done < <(
        compgen -d -- "$prefix"
        for suffix in "${@:-}"; do
            compgen -f -X "!*$suffix" -- "$prefix"
        done | while read -r path; do
            [[ -d $path ]] || printf '%s\n' "$path"
        done
    )
}

_warpstep_folders() {
    local path
    compopt -o filenames 2>/dev/null
    while read -r path; do
        COMPREPLY+=("$path")
    done < <(compgen -d -- "$1")
}

_warpstep_settings='@SETTINGS@'

# PATH=VALUE: the path, and the value where it is a word.
_warpstep_setting() {
    local words=
    if [[ $1 != *=* ]]; then
        compopt -o nospace 2>/dev/null
        _warpstep_names "$1" "$_warpstep_settings"
        return
    fi
    case ${1%%=*} in
@WORDS@
    esac
    _warpstep_names "$1" "$words"
}

# _warpstep_value COMMAND OPTION PREFIX: fails if the option takes none.
_warpstep_value() {
    case $1:$2 in
@VALUES@
    *) return 1 ;;
    esac
    return 0
}

# _warpstep_argument COMMAND PREFIX
_warpstep_argument() {
    case $1 in
@ARGUMENTS@
    esac
}

_warpstep_options() {
    case $1 in
@OPTIONS@
    esac
}

_warpstep() {
    local words cut=
    _warpstep_words
    local last=$((${#words[@]} - 1))
    local current=${words[last]} before=${words[last - 1]} command=${words[1]}
    COMPREPLY=()
    if [[ $last -le 1 ]]; then
        _warpstep_names "$current" '@COMMANDS@ --help --version'
    elif [[ $current == --*=* ]]; then
        _warpstep_value "$command" "${current%%=*}" "${current#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/${current%%=*}=}")
    elif ! _warpstep_value "$command" "$before" "$current"; then
        if [[ $current == -* ]]; then
            _warpstep_names "$current" "$(_warpstep_options "$command")"
        else
            _warpstep_argument "$command" "$current"
        fi
    fi
    # Readline replaces only what is behind the last =.
    [[ $COMP_WORDBREAKS == *=* ]] && cut=${current%"${current##*=}"}
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}

complete -F _warpstep warpstep
"""


def spellings(option):
    return [f"--{option['long']}"] + ([f"-{option['short']}"] if option["short"] else [])


def bash_action(kind, names, suffixes, prefix):
    suffixes = "".join(f" {suffix}" for suffix in suffixes)
    if kind == "files":
        return f'_warpstep_files "{prefix}"{suffixes}'
    if kind == "folders":
        return f'_warpstep_folders "{prefix}"'
    if kind == "settings":
        return f'_warpstep_setting "{prefix}"'
    if kind is None:
        return ":"
    action = f'_warpstep_names "{prefix}" {quoted(" ".join(names))}'
    return action + (f'\n        _warpstep_files "{prefix}"{suffixes}' if suffixes else "")


def bash(tables):
    values, arguments, options = [], [], []
    for command in tables.commands:
        name = command["name"]
        for option in command["options"]:
            if option["value"]:
                patterns = "|".join(f"{name}:{spelling}" for spelling in spellings(option))
                action = bash_action(*tables.kinds(option["value"], command, option), "$3")
                values.append(f"    {patterns})\n        {action}\n        ;;")
        action = bash_action(*tables.positional(command), "$2")
        arguments.append(f"    {name})\n        {action}\n        ;;")
        spelt = " ".join(s for option in command["options"] for s in spellings(option))
        options.append(f"    {name}) echo {quoted(spelt + ' --help')} ;;")
    words = [
        f"    {setting['path']}) words={quoted(' '.join(setting['path'] + '=' + w for w in setting['words']))} ;;"
        for setting in tables.all["settings"]
        if setting["words"]
    ]
    return filled(BASH, {
        "NOTE": NOTE,
        "SETTINGS": "\n".join(setting["path"] + "=" for setting in tables.all["settings"]),
        "WORDS": "\n".join(words),
        "VALUES": "\n".join(values),
        "ARGUMENTS": "\n".join(arguments),
        "OPTIONS": "\n".join(options),
        "COMMANDS": " ".join(command["name"] for command in tables.commands),
    })


def filled(template, values):
    return re.sub(r"@([A-Z]+)@", lambda match: values[match.group(1)], template)


# ---- zsh -----------------------------------------------------------------------------------------


ZSH = """\
#compdef warpstep
@NOTE@

_warpstep_settings() {
    local -a paths
    local -A values
    paths=(
@SETTINGS@
    )
    values=(
@WORDS@
    )
    if compset -P 1 '*='; then
        compadd -- ${=values[${${IPREFIX%=}##*=}]}
    else
        compadd -S '=' -- $paths
    fi
}

_warpstep() {
    local curcontext="$curcontext" state line
    local -a commands
    commands=(
@COMMANDS@
    )
    _arguments -C '(- *)'{-h,--help}'[list the commands]' '(- *)--version[print the version]' \\
        '1: :->command' '*:: :->arguments'
    case $state in
    command) _describe -t commands command commands ;;
    arguments)
        case $words[1] in
@ARGUMENTS@
        esac
        ;;
    esac
}

_warpstep "$@"
"""


def zsh_action(kind, names, suffixes):
    globs = f'_files -g "*({"|".join(suffixes)})(-.)"' if suffixes else "_files"
    if kind == "files":
        return globs
    if kind == "folders":
        return "_files -/"
    if kind == "settings":
        return "_warpstep_settings"
    if kind is None:
        return " "
    if not suffixes:
        return "(" + " ".join(names) + ")"
    return '{ compadd -- ' + " ".join(names) + f"; {globs}" + " }"


def zsh_message(text):
    """A description in square brackets, or the name of a value."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_option(tables, command, option):
    value = ""
    if option["value"]:
        action = zsh_action(*tables.kinds(option["value"], command, option))
        value = f":{zsh_message(option['value'])}:{action}"
    help_text = f"[{zsh_message(option['help'])}]"
    long = f"--{option['long']}" + ("=" if option["value"] else "")
    short = f"-{option['short']}" + ("+" if option["value"] else "")
    several = "*" if option["repeated"] else ""
    if not option["short"]:
        return quoted(several + long + help_text + value)
    others = "'*'" if several else quoted(f"(-{option['short']} --{option['long']})")
    return f"{others}{{{short},{long}}}{quoted(help_text + value)}"


def zsh(tables):
    arguments = []
    for command in tables.commands:
        lines = [zsh_option(tables, command, option) for option in command["options"]]
        lines.append("'(- *)'{-h,--help}'[say more]'")
        kind = tables.positional(command)
        if kind[0]:
            lines.append(quoted(f"*: :{zsh_action(*kind)}"))
        joined = " \\\n                ".join(lines)
        arguments.append(f"        {command['name']})\n            _arguments -s -S \\\n                {joined}\n            ;;")
    return filled(ZSH, {
        "NOTE": NOTE,
        "SETTINGS": "\n".join(f"        {setting['path']}" for setting in tables.all["settings"]),
        "WORDS": "\n".join(
            f"        {setting['path']} {quoted(' '.join(setting['words']))}"
            for setting in tables.all["settings"]
            if setting["words"]
        ),
        "COMMANDS": "\n".join(
            f"        {quoted(command['name'] + ':' + command['summary'].replace(':', chr(92) + ':'))}"
            for command in tables.commands
        ),
        "ARGUMENTS": "\n".join(arguments),
    })


# ---- fish ----------------------------------------------------------------------------------------


FISH = """\
# fish completion for warpstep
@NOTE@

function __warpstep_settings
    set -l typed (string split -m 1 = -- (string replace -r -- '^--set=' '' (commandline -ct)))
    if test (count $typed) -lt 2
        printf '%s\\n' @SETTINGS@
        return
    end
    switch $typed[1]
@WORDS@
    end
end

function __warpstep_files
    for suffix in $argv
        __fish_complete_suffix $suffix
    end
end

complete -c warpstep -f
complete -c warpstep -n __fish_use_subcommand -s h -l help -d 'list the commands'
complete -c warpstep -n __fish_use_subcommand -l version -d 'print the version'
@COMMANDS@
"""


def fish_action(kind, names, suffixes):
    """The flags of `complete` for a value."""
    if kind == "files" and not suffixes:
        return " -r -F"
    if kind == "folders":
        return " -x -a '(__fish_complete_directories)'"
    if kind == "settings":
        return " -x -a '(__warpstep_settings)'"
    if kind is None:
        return " -x"
    files = f"(__warpstep_files {' '.join(suffixes)})" if suffixes else ""
    return f" -x -a {quoted(' '.join([*names, files]).strip())}"


def fish_commands(tables):
    for command in tables.commands:
        name = command["name"]
        yield f"complete -c warpstep -n __fish_use_subcommand -a {name} -d {quoted(command['summary'])}"
        seen = f"complete -c warpstep -n '__fish_seen_subcommand_from {name}'"
        kind = tables.positional(command)
        if kind[0]:
            yield seen + fish_action(*kind).replace(" -x", "")
        for option in command["options"]:
            short = f" -s {option['short']}" if option["short"] else ""
            value = fish_action(*tables.kinds(option["value"], command, option)) if option["value"] else ""
            yield f"{seen}{short} -l {option['long']}{value} -d {quoted(option['help'])}"
        yield f"{seen} -s h -l help -d 'say more'"


def fish(tables):
    words = [
        f"        case {setting['path']}\n            printf '%s\\n' "
        + " ".join(f"{setting['path']}={word}" for word in setting["words"])
        for setting in tables.all["settings"]
        if setting["words"]
    ]
    return filled(FISH, {
        "NOTE": NOTE,
        "SETTINGS": " ".join(setting["path"] + "=" for setting in tables.all["settings"]),
        "WORDS": "\n".join(words),
        "COMMANDS": "\n".join(fish_commands(tables)),
    })


def main():
    tables = Tables(sys.argv[1])
    for write, path in zip((bash, zsh, fish), sys.argv[2:]):
        with open(path, "w") as file:
            file.write(write(tables))


if __name__ == "__main__":
    main()
