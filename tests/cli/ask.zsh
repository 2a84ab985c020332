# ask.zsh FOLDER LINE...: what zsh offers for the end of each line, in a terminal of its own: "LINE: WORD" each. FOLDER is in its fpath.
zmodload zsh/zpty
home=$(mktemp -d)
trap 'rm -rf $home' EXIT
cat >$home/.zshrc <<'RC'
PROMPT= RPROMPT= LISTMAX=10000
unset zle_bracketed_paste
fpath=($ASKED $fpath)
autoload -Uz compinit
compinit -u -D
# What is offered goes through compadd.
compadd() {
    local -a hits
    if [[ " ${@[1,(i)(-|--)]} " != *\ -[a-zA-Z]#[OAD]\ * ]]; then
        builtin compadd -O hits "$@"
        ((! $#hits)) || print -rl -- HIT:$^hits
    fi
    builtin compadd "$@"
}
next() { zle kill-whole-line; print -r -- DONE:; }
zle -N next
bindkey '^I' complete-word '^P' next
print READY:
RC
zpty ask env ZDOTDIR=$home ASKED=$1 TERM=dumb zsh -i
shift
while zpty -r ask line; do
    [[ $line != *READY:* ]] || break
done
for asked; do
    zpty -w -n ask "$asked"$'\t\x10'
    while zpty -r ask line; do
        line=${line%%$'\r'#$'\n'}
        [[ $line != *HIT:* ]] || print -r -- "$asked: ${line##*HIT:}"
        [[ $line != *DONE:* ]] || break
    done
done
zpty -d ask
