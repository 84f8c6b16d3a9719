#!/usr/bin/env bash
# Takes pictures of a real panel with Beckon's tray icon, idle and with the dot,
# into build/screenshots. Needs what the tests need, and xfce4-panel, xvfb-run and xfconf;
# nothing else does, so it is started by hand after make build.
set -euo pipefail
cd "$(dirname "$0")/.."

home=$(mktemp -d)
export HOME=$home XDG_CONFIG_HOME=$home/config XDG_RUNTIME_DIR=$home/run NO_AT_BRIDGE=1 LANG=C.UTF-8
mkdir -p "$XDG_RUNTIME_DIR" "$XDG_CONFIG_HOME/xfce4/xfconf/xfce-perchannel-xml"
chmod 700 "$XDG_RUNTIME_DIR"
cat >"$XDG_CONFIG_HOME/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="true"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=10;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
        <value type="int" value="3"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator"><property name="expand" type="bool" value="true"/></property>
    <property name="plugin-2" type="string" value="systray"/>
    <property name="plugin-3" type="string" value="clock"/>
  </property>
</channel>
XML

# session runs inside the screen and the bus. The demo's agents begin by
# themselves and soon ask, so the last picture without the dot is the idle one.
session() {
  xfce4-panel --disable-wm-check >"$home/panel.log" 2>&1 &
  panel=$!
  build/bin/beckon demo >"$home/beckon.log" 2>&1 &
  beckon=$!
  trap 'kill $beckon $panel 2>/dev/null; wait' EXIT
  for _ in $(seq 400); do
    import -window root -crop 420x32+1020+968 +repage "$home/now.png"
    if has '#fdb21d'; then
      keep attention
      [ -f build/screenshots/panel-idle.png ]
      return
    fi
    if has '#f4f7f7'; then keep idle; fi
    sleep 0.1
  done
  cat "$home"/*.log >&2
  echo "the panel shows no icon with a dot" >&2
  return 1
}

# has reports whether the panel shows a colour of the icon's.
has() { convert "$home/now.png" -format %c histogram:info: | grep -qi "$1"; }

keep() { convert "$home/now.png" -strip "build/screenshots/panel-$1.png"; }

if [ "${1:-}" = session ]; then
  home=$2
  session
  exit
fi
trap 'rm -rf "$home"' EXIT
xvfb-run -a -s '-screen 0 1440x1000x24' dbus-run-session -- "$0" session "$home"
