
# The program takes words that begin with no subcommand's name for words of `show`; the generated
# functions do not. So `show` is put in where nobody typed it. What is first typed may be either.
function __wamptap_tokens -S
    set -l typed (__wamptap_typed $argv)
    if test "$argv" = -pc
        set -l verbs (functions __wamptap_parse_tokens | string replace -rf "^\s*case '?([\w-]+)'?\$" '$1')
        if test (count $typed) -gt 1
            contains -- $typed[2] $verbs; or set typed $typed[1] show $typed[2..-1]
        else if test "$expected_commands" != wamptap
            set -a typed show
        end
    end
    printf '%s\n' $typed
end
