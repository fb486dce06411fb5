val sparkVersion = "4.2.0"
val scalatest = "org.scalatest" %% "scalatest" % "3.2.19" % Test
val scalacheck = "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test

ThisBuild / organization := "org.streamon"
ThisBuild / version := IO.read(file("VERSION")).trim
ThisBuild / scalaVersion := "2.13.18"
ThisBuild / semanticdbEnabled := true
ThisBuild / semanticdbVersion := "4.14.2"
ThisBuild / scalacOptions ++= Seq(
  "-deprecation",
  "-feature",
  "-Xlint:_,-missing-interpolator",
  "-Wunused:imports,locals,privates",
  "-Werror",
  "-release",
  "17"
)
ThisBuild / Test / fork := true
ThisBuild / Test / parallelExecution := false
Global / concurrentRestrictions += Tags.limit(Tags.ForkedTestGroup, 1)

// What Spark needs opened on Java 17 when it runs inside a test.
val sparkOnJava17 = Seq(
  "java.lang",
  "java.lang.invoke",
  "java.lang.reflect",
  "java.io",
  "java.net",
  "java.nio",
  "java.util",
  "java.util.concurrent",
  "java.util.concurrent.atomic",
  "sun.nio.ch",
  "sun.nio.cs",
  "sun.security.action",
  "sun.util.calendar"
).map(p => s"--add-opens=java.base/$p=ALL-UNNAMED") :+ "-Djdk.reflect.useDirectMethodHandle=false"

// The algorithms alone. Nothing of Spark is on this classpath, and the build keeps it so.
lazy val core = (project in file("jvm/core")).settings(
  name := "streamon-core",
  libraryDependencies ++= Seq(scalatest, scalacheck)
)

lazy val spark = (project in file("jvm/spark"))
  .dependsOn(core)
  .settings(
    name := "streamon-spark",
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % sparkVersion % Provided,
      scalatest,
      scalacheck
    ),
    Test / javaOptions ++= "-Xmx3g" +: sparkOnJava17,
    // Replays a generated test.
    Test / javaOptions ++= sys.props.get("streamon.seed").map("-Dstreamon.seed=" + _),
    // One thin jar for users, the rules and the algorithms they run, laid where the Python wheel carries it.
    Compile / packageBin / mappings ++= (core / Compile / packageBin / mappings).value,
    Compile / packageBin / artifactPath :=
      (ThisBuild / baseDirectory).value / "python" / "streamon" / "jars" /
        s"streamon-spark-4.2_${scalaBinaryVersion.value}-${version.value}.jar"
  )

lazy val root =
  (project in file(".")).aggregate(core, spark).settings(name := "streamon", publish / skip := true)
