# shellcheck shell=bash disable=SC2034
# Who publishes Beckon, for the scripts that read this. All three are placeholders
# until somebody does: the addresses lead nowhere, on purpose.
app_id=dev.beckon.beckon
maintainer='The Beckon authors <beckon@localhost.invalid>'
# Where releases are, at GitHub, as owner/name. An owner with a dot can be nobody's.
repository=${BECKON_REPOSITORY:-beckon.invalid/beckon}
