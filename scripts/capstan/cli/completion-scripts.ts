/** The shells for which there is a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

/**
 * Scripts that let a shell complete `capstan`: each hands the words of the line to `capstan completion SHELL --word=WORD…`, the last of which is
 * the one to complete, and offers the lines that this prints. After `=` and `/` no space follows.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  // Readline replaces what follows the last character of COMP_WORDBREAKS, so that the part before it is cut off the replies.
  bash: `_capstan() {
  local line=\${COMP_LINE:0:COMP_POINT} cut= reply quoted at
  local -a words=() replies=()
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  words=("\${words[@]:1}")
  local current=\${words[\${#words[@]}-1]}
  for (( at = \${#current}; at > 0; at-- )); do
    if [[ $COMP_WORDBREAKS == *"\${current:at-1:1}"* ]]; then cut=\${current:0:at}; break; fi
  done
  while IFS= read -r reply; do
    printf -v quoted %q "\${reply#"$cut"}"
    replies+=("$quoted")
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" completion bash "\${words[@]/#/--word=}" 2> /dev/null)
  COMPREPLY=("\${replies[@]}")
  if [[ \${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace; fi
}
complete -F _capstan capstan
`,
  zsh: `#compdef capstan
_capstan() {
  local -a replies
  replies=("\${(@f)$("\${(Q)words[1]}" completion zsh "\${(@)\${(@Q)words[2,CURRENT]}/#/--word=}" 2> /dev/null)}")
  compadd -- "\${(@)replies:#(|*[=/])}"
  compadd -S '' -- "\${(@M)replies:#*[=/]}"
}
if [ "$funcstack[1]" = "_capstan" ]; then _capstan "$@"; else compdef _capstan capstan; fi
`,
  fish: `function __capstan_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] completion fish --word=$words[2..-1] --word="$current" 2> /dev/null
end
complete -c capstan -f -a '(__capstan_complete)'
`,
}
