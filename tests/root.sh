# Read by the scripts that install what the tests need. Sets as_root to what goes before a command
# that only root may give, or ends with a sentence if there is no way to install: need "SENTENCE".
need() {
    if [ "$(id -u)" -eq 0 ]; then
        as_root=""
    elif sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        as_root="no"
    fi
    if [ "$as_root" = no ] || ! command -v apt-get >/dev/null; then
        echo "$1"
        exit 1
    fi
}
