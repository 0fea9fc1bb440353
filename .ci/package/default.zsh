
# The program takes words that begin with no subcommand's name for words of `show`; the generated
# functions do not. So `show` is put in where nobody typed it.
_wamptap() {
    local -i ret=1
    if ((CURRENT > 2)) && ((${+functions[_wamptap_${words[2]}]})); then
        __wamptap_generated "${@}"
        return
    fi
    if ((CURRENT == 2)) && [[ "${PREFIX}" != -* ]]; then
        __wamptap_generated "${@}" && ret=0
    fi
    words=("${words[1]}" show "${(@)words[2,-1]}")
    ((CURRENT++))
    __wamptap_generated "${@}" && ret=0
    return "${ret}"
}
