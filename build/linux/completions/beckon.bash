# Completion of beckon for bash.
_beckon() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local IFS=$' \t\n'
  case $before in
    -data) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    -claude | -cert | -key) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    -addr | -public) return ;;
    hooks) mapfile -t COMPREPLY < <(compgen -W 'install status remove' -- "$word"); return ;;
  esac
  local words=''
  [ "$COMP_CWORD" -gt 1 ] || words='serve demo mcp hooks run version'
  case $command in
    serve) words+=' -addr -cert -key -public' ;;
    hooks) words+=' -yes' ;;
    -*) words+=' -hidden' ;;
  esac
  [ "$command" = version ] || words+=' -claude -data'
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  # A folder opens the window at it.
  [ "$COMP_CWORD" -gt 1 ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word")
}
complete -o filenames -F _beckon beckon
