# The program takes words that begin with no subcommand's name for words of `show`; the generated
# functions do not. So `show` is put in where nobody typed it.
__wamptap_with_default() {
    local -a typed=("${COMP_WORDS[@]}")
    if ((COMP_CWORD > 1)) && declare -F "_wamptap_${typed[1]}" >/dev/null; then
        _wamptap "${@}"
        return
    fi
    if ((COMP_CWORD == 1)) && [[ "${typed[1]}" != -* ]]; then
        _wamptap "${@}"
        # the subcommands; `show` has the flags too
        local -i index
        for index in "${!COMPREPLY[@]}"; do
            if [[ "${COMPREPLY[index]}" = -* ]]; then unset "COMPREPLY[index]"; fi
        done
    fi
    local -a COMP_WORDS=("${typed[0]}" show "${typed[@]:1}")
    local -i COMP_CWORD="$((COMP_CWORD + 1))"
    _wamptap "${@}"
}

complete -o filenames -F __wamptap_with_default wamptap
