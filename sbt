#!/usr/bin/env bash
# Boots sbt with nothing but Maven: fetches the launcher jar, then runs it with Maven Central as the only repository.
# Where there is no Maven, an installed sbt does as well.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
v="$(sed -n 's/^sbt.version=//p' "$here/project/build.properties")"
jar="$HOME/.m2/repository/org/scala-sbt/sbt-launch/$v/sbt-launch-$v.jar"
settings=(
  -Dsbt.override.build.repos=true "-Dsbt.repository.config=$here/project/repositories"
  -Dsbt.server.autostart=false -Dsbt.color=false -Dsbt.supershell=false
)
cd "$here"
if [ ! -s "$jar" ] && ! command -v mvn >/dev/null; then
  exec sbt "${settings[@]}" "$@"
fi
[ -s "$jar" ] || mvn -q -B dependency:get -Dartifact="org.scala-sbt:sbt-launch:$v" -Dtransitive=false
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" ${SBT_OPTS:--Xmx2g -Xss4m} "${settings[@]}" -jar "$jar" "$@"
