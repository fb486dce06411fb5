import scala.xml.{Elem, Node => XmlNode}

// The latest Spark of which tests and the source for Kafka are on Maven Central.
val onMavenCentral = "4.2.0"
val scalatest = "org.scalatest" %% "scalatest" % "3.2.19" % Test
val scalacheck = "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test

ThisBuild / organization := "org.streamon"
ThisBuild / version := IO.read(file("VERSION")).trim
ThisBuild / scalaVersion := "2.13.18"
ThisBuild / description := "Adaptive query processing for Apache Spark."
ThisBuild / licenses := Seq("Apache-2.0" -> url("https://www.apache.org/licenses/LICENSE-2.0.txt"))
// A Maven repository in a folder: `make maven` publishes to it.
ThisBuild / publishTo := Some(
  MavenCache("streamon", file(sys.props.getOrElse("streamon.maven", "target/maven")).getAbsoluteFile)
)
ThisBuild / semanticdbEnabled := true
ThisBuild / semanticdbVersion := "4.14.2"
ThisBuild / scalacOptions ++= Seq(
  "-deprecation",
  "-feature",
  "-Xlint:_,-missing-interpolator",
  "-Wunused:imports,locals,privates",
  // All warnings are errors. The silent ones do not occur: sbt-scalafix would take out -Werror and options that end with
  // `:error`, and all would be compiled twice.
  "-Wconf:any:error,cat=scala3-migration:silent",
  "-release",
  "17"
)
ThisBuild / Test / fork := true
ThisBuild / Test / parallelExecution := false
// How long each test takes stands beside it.
ThisBuild / Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oD")
Global / concurrentRestrictions :=
  Seq(
    Tags.limitAll(sys.runtime.availableProcessors),
    Tags.limit(Tags.ForkedTestGroup, 2),
    Tags.exclusiveGroup(Tags.Clean)
  )

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

// The tests are many and short: most of their time would go into compiling code once more.
val shortTests = Seq("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")

// Two processes run the suites. A query waits much of its time.
def sideBySide(suites: Seq[TestDefinition], options: ForkOptions): Seq[Tests.Group] = {
  val (even, odd) = suites.sortBy(_.name).zipWithIndex.partition(_._2 % 2 == 0)
  Seq(even, odd).zipWithIndex.map { case (ofProcess, process) =>
    Tests.Group(s"process $process", ofProcess.map(_._1), Tests.SubProcess(options))
  }
}

// A broker, and Spark's source for it, which are on Maven Central for this Spark only. Its own jars come before what
// these bring.
val kafka = Seq(
  ("org.apache.spark" %% "spark-sql-kafka-0-10" % onMavenCentral % Test).excludeAll("org.apache.spark"),
  ("org.apache.spark" %% "spark-token-provider-kafka-0-10" % "4.0.0" % Test).intransitive(),
  "org.apache.kafka" %% "kafka" % "3.9.2" % Test
)

// The algorithms alone. Nothing of Spark is on this classpath, and the build keeps it so.
lazy val core = (project in file("jvm/core")).settings(
  OneWay.settings,
  name := "streamon-core",
  libraryDependencies ++= Seq(scalatest, scalacheck)
)

// The thesis's experiments, with the baselines that no query runs. No user's jar has any of it; the tests of core that
// need a baseline are here too.
lazy val lab = (project in file("jvm/lab"))
  .dependsOn(core % "compile->compile;test->test")
  .settings(
    OneWay.settings,
    name := "streamon-lab",
    publish / skip := true,
    libraryDependencies ++= Seq(scalatest, scalacheck, "com.lihaoyi" %% "ujson" % "4.1.0" % Test),
    Compile / packageBin / mappings ++= (core / Compile / packageBin / mappings).value,
    Compile / packageBin / artifactPath := target.value / "streamon-lab.jar"
  )

// What steps of joins and caches cost, by which the lab's verdicts are weighed: `make prices`. In no test run.
lazy val prices = (project in file("jvm/prices"))
  .enablePlugins(JmhPlugin)
  .dependsOn(lab)
  .settings(OneWay.settings, name := "streamon-prices", publish / skip := true)

// The extension, once for each line of Spark: one source, and a folder for what differs.
lazy val spark = new CompositeProject {
  override def componentProjects: Seq[Project] = SparkLine.all.map(sparkProject)
}

// With -Dstreamon.spark=4.2.1 the tests of a line run on that version.
def runsOn(on: SparkLine): String =
  sys.props.get("streamon.spark").filter(on.tested.contains).getOrElse(on.compiled)

def sparkProject(on: SparkLine): Project = Project(on.project, file("jvm/spark"))
  .dependsOn(core % "compile->compile;test->test")
  .settings(
    OneWay.settings,
    name := s"streamon-spark-${on.line}",
    moduleName := s"streamon-spark-${on.line}",
    Compile / packageDoc / publishArtifact := false,
    pomPostProcess := (pomOf(on, _)),
    publishConfiguration := publishConfiguration.value.withOverwrite(true),
    publishM2Configuration := publishM2Configuration.value.withOverwrite(true),
    target := baseDirectory.value / "target" / on.line,
    Compile / unmanagedSourceDirectories += baseDirectory.value / "src" / "main" / s"scala-${on.line}",
    Test / unmanagedSourceDirectories += baseDirectory.value / "src" / "test" / s"scala-${on.line}",
    Compile / unmanagedJars := SparkLine.jars(on.compiled).classpath,
    // In the place of the version that it was compiled against.
    Test / unmanagedClasspath := SparkLine.jars(runsOn(on)).classpath,
    Test / envVars += "PYSPARK_PYTHON" -> SparkLine.python(runsOn(on)).getPath,
    // The class that decides whether this Spark is one of the lines is loaded on every Spark.
    javacOptions ++= Seq("--release", "8", "-Xlint:-options"),
    Compile / resourceGenerators ++= Seq(lineProperties(on).taskValue, workerProgram.taskValue),
    libraryDependencies ++= Seq(scalatest, scalacheck) ++ kafka,
    Test / javaOptions ++= "-Xmx3g" +: (shortTests ++ sparkOnJava17),
    Test / testGrouping := sideBySide((Test / definedTests).value, (Test / forkOptions).value),
    // The groups. In each, one suite follows the other.
    Test / parallelExecution := true,
    Test / testForkedParallel := false,
    // Replays a generated test; writes stored checkpoints anew.
    Test / javaOptions ++= Seq("seed", "checkpoints")
      .flatMap(key => sys.props.get(s"streamon.$key").map(value => s"-Dstreamon.$key=$value")),
    // One thin jar for users, the rules and the algorithms they run, laid where the Python wheel carries it.
    Compile / packageBin / mappings ++= (core / Compile / packageBin / mappings).value,
    Compile / packageBin / artifactPath :=
      (ThisBuild / baseDirectory).value / "python" / "streamon" / "jars" /
        s"streamon-spark-${on.line}_${scalaBinaryVersion.value}-${version.value}.jar"
  )

// The jar has all that it needs but Spark, which brings Scala: its POM names nothing else.
def pomOf(on: SparkLine, pom: XmlNode): XmlNode = pom match {
  case project: Elem =>
    project.copy(child = project.child.map {
      case Elem(_, "dependencies", _, _, _*) =>
        <dependencies>
          <dependency>
            <groupId>org.apache.spark</groupId>
            <artifactId>spark-sql_2.13</artifactId>
            <version>{on.compiled}</version>
            <scope>provided</scope>
          </dependency>
        </dependencies>
      case other => other
    })
  case other => other
}

// What a jar knows of itself.
def lineProperties(on: SparkLine) = Def.task {
  val properties = (Compile / resourceManaged).value / "org" / "streamon" / "spark" / "line.properties"
  val supported = SparkLine.all.map(_.line).reverse.mkString(" ")
  val content = s"version=${version.value}\nspark=${on.line}\nsupported=$supported\n"
  if (!properties.exists || IO.read(properties) != content) IO.write(properties, content)
  Seq(properties)
}

// The Python code that travels with tasks.
def workerProgram = Def.task {
  val from = (ThisBuild / baseDirectory).value / "python" / "streamon_worker"
  val to = (Compile / resourceManaged).value / "streamon_worker"
  (from * "*.py").get().map { file =>
    IO.copyFile(file, to / file.getName)
    to / file.getName
  }
}

// Spark's own published suites, with an adaptive filter in the place of every filter that can be one: see docs/contributors/spark-suites.md.
// With -Dstreamon.suites=stock the same suites run on Spark alone.
val suitesLine = SparkLine.all.find(_.compiled == onMavenCentral).get
val onStock = sys.props.get("streamon.suites").contains("stock")
lazy val suiteResources =
  taskKey[File]("Resources of Spark's suites, which they read as files of Spark's sources.")

lazy val sparkSuites = (project in file("jvm/spark-suites"))
  .dependsOn(LocalProject(suitesLine.project) % "test->compile")
  .settings(
    OneWay.settings,
    name := "streamon-spark-suites",
    publish / skip := true,
    libraryDependencies ++= Seq("common-utils", "core", "catalyst", "sql-api", "sql", "tags")
      .map(module =>
        ("org.apache.spark" %% s"spark-$module" % onMavenCentral % Test).classifier("tests").intransitive()
      ),
    libraryDependencies ++= Seq(
      scalatest,
      scalacheck,
      "org.scalatestplus" %% "mockito-5-12" % "3.2.19.0" % Test,
      "org.mockito" % "mockito-core" % "5.12.0" % Test
    ),
    suiteResources := {
      val resources = target.value / "spark-home" / "sql" / "core" / "src" / "test" / "resources"
      if (!resources.exists)
        (Test / update).value
          .select(artifactFilter(name = "spark-sql_*", classifier = "tests"))
          .foreach(IO.unzip(_, resources, (entry: String) => !entry.endsWith(".class")))
      resources
    },
    Test / unmanagedClasspath += Attributed.blank(suiteResources.value),
    Test / envVars += "PYSPARK_PYTHON" -> SparkLine.python(onMavenCentral).getPath,
    // Warehouses and logs of the suites stay below target.
    Test / forkOptions := (Test / forkOptions).value.withWorkingDirectory(target.value),
    Test / javaOptions ++= shortTests ++ sparkOnJava17 ++ Seq(
      "-Xmx3g",
      "-Xss4m",
      "-Dspark.testing=1",
      s"-Dspark.test.home=${target.value / "spark-home"}",
      "-Dspark.ui.enabled=false",
      "-Dspark.unsafe.exceptionOnMemoryLeak=true",
      s"-Dspark.streamon.enabled=${!onStock}",
      // Spark's test sessions do not look for extensions on the class path.
      "-Dspark.sql.extensions=org.streamon.spark.StreamonExtensions",
      // Every other row is sampled and the window is short, so that orders change often, and the rows between
      // follow them.
      "-Dspark.streamon.filter.mode=always",
      "-Dspark.streamon.filter.profilingProbability=0.5",
      "-Dspark.streamon.filter.profilingBudget=1.0",
      "-Dspark.streamon.filter.window=4",
      "-Dspark.streamon.filter.thrashAvoidance=1.0"
    )
  )

lazy val root = (project in file("."))
  .aggregate(core, lab, sparkSuites)
  .aggregate(SparkLine.all.map(on => LocalProject(on.project)): _*)
  .settings(name := "streamon", publish / skip := true)
