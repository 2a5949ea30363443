package dev.leasehold.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {

    private static final List<String> COMMANDS =
            List.of("demo", "run", "ls", "top", "show", "release", "deadlocks", "doctor", "console", "completion");

    private String out = "";
    private String err = "";

    static Stream<List<String>> badUsage() {
        return Stream.of(
                List.of(),
                List.of("bogus"),
                List.of("--bogus"),
                List.of("ls", "surplus"),
                List.of("ls", "--redis"),
                List.of("ls", "--redis", "http://localhost"),
                List.of("ls", "--redis", "localhost:6379"),
                List.of("ls", "--prefix", "a{b"),
                List.of("ls", "--cacert", "/no/such/file", "--redis", "rediss://localhost"),
                List.of("ls", "--sort", "size"),
                List.of("top", "a", "b"),
                List.of("top", "--sort", "size"),
                List.of("top", "--interval", "soon"),
                List.of("top", "--interval", "99ms"),
                List.of("top", "--interval", "2h"),
                List.of("show"),
                List.of("show", ""),
                List.of("release"),
                List.of("release", "job"),
                List.of("release", "", "--force", "--yes"),
                List.of("run"),
                List.of("run", "job"),
                List.of("run", "job", "--"),
                List.of("run", "job", "true"),
                List.of("run", "--", "job", "true"),
                List.of("run", "job", "surplus", "--", "true"),
                List.of("run", "", "--", "true"),
                List.of("run", "--wait", "soon", "job", "--", "true"),
                List.of("run", "--wait", "-1s", "job", "--", "true"),
                List.of("run", "--lease", "0", "job", "--", "true"),
                List.of("run", "--lease", "2d", "job", "--", "true"),
                List.of("run", "--lease", "99999999999999999999d", "job", "--", "true"),
                List.of("run", "--bogus", "job", "--", "true"),
                List.of("run", "--format=plain", "--shared", "job", "--", "true"),
                List.of("run", "--format=plain", "--permits=2", "job", "--", "true"),
                List.of("run", "--format=redission", "job", "--", "true"),
                List.of("demo", "--lease", "1ms"),
                List.of("demo", "--keep", "soon"),
                List.of("demo", "--keep", "--without-lock"));
    }

    @ParameterizedTest
    @MethodSource("badUsage")
    void endsWith64AndOneLine(List<String> args) {
        assertThat(execute(args.toArray(String[]::new))).isEqualTo(64);
        assertThat(out).isEmpty();
        assertThat(err.lines()).hasSize(1);
        assertThat(err).startsWith("leasehold: ").doesNotContain("Exception");
    }

    static Stream<List<String>> urisWhereTheyDoNotBelong() {
        String uri = "redis://app:s3cret@127.0.0.1:1";
        return Stream.of(
                List.of("ls", uri),
                List.of("ls", "--cacert", uri, "--redis", "rediss://127.0.0.1:1"),
                List.of("show", uri),
                List.of("show", "REDISS-SENTINEL://app:s3cret@127.0.0.1:1/0?sentinelMasterId=x"),
                List.of("release", uri),
                List.of("release", uri, "--force", "--yes"),
                List.of("run", uri, "--", "true"));
    }

    @ParameterizedTest
    @MethodSource("urisWhereTheyDoNotBelong")
    void showsNoPasswordOfAWrongCommandLine(List<String> args) {
        assertThat(execute(args.toArray(String[]::new))).isEqualTo(64);
        assertThat(out + err).contains("may have a password", "--redis").doesNotContain("s3cret", "app");
    }

    @Test
    void showsNoControlCharacterOfAWrongCommandLine() {
        assertThat(execute("ls", "\u001b[2J\n")).isEqualTo(64);
        assertThat(err).contains("\\u001b[2J").doesNotContain("\u001b");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void hasHelpForEachCommand(String command) {
        assertThat(execute(command, "--help")).isZero();
        assertThat(out).startsWith("Usage: leasehold " + command).contains("--help", "--debug");
        assertThat(err).isEmpty();
    }

    static List<String> commands() {
        return COMMANDS;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "show", "release", "doctor"})
    void offersJson(String command) {
        execute(command, "--help");
        assertThat(out).contains("--json");
    }

    @Test
    void warnsInTheHelpThatAFrozenProcessCannotStopItsCommand() {
        execute("run", "--help");
        assertThat(out.replaceAll("\\s+", " "))
                .contains("A frozen leasehold process cannot stop its COMMAND", "LEASEHOLD_TOKEN is for this");
    }

    @Test
    void listsAllCommands() {
        assertThat(execute("--help")).isZero();
        assertThat(out).contains(COMMANDS);
    }

    @Test
    void printsItsVersion() {
        assertThat(execute("--version")).isZero();
        assertThat(out).matches("(?s)leasehold [0-9]+\\.[0-9]+.*");
    }

    @Test
    void printsACompletionScript() {
        assertThat(execute("completion")).isZero();
        assertThat(out).startsWith("#!/usr/bin/env bash").contains(COMMANDS).contains("--without-lock");
    }

    @Test
    void printsTheCompletionScriptOfBashForZsh() {
        execute("completion");
        String bash = out;
        assertThat(execute("completion", "zsh")).isZero();
        assertThat(out).isEqualTo(bash);
    }

    @Test
    void printsACompletionScriptForFish() {
        assertThat(execute("completion", "fish")).isZero();
        assertThat(out.lines())
                .allMatch(line -> line.startsWith("complete -c leasehold "))
                .contains(
                        "complete -c leasehold -f",
                        "complete -c leasehold -n '__fish_use_subcommand' -a completion -d 'Print a completion script for a shell.'")
                .anyMatch(
                        line -> line.startsWith(
                                "complete -c leasehold -n '__fish_seen_subcommand_from ls' -l format -r -d 'How a lock is stored: "))
                .anyMatch(line ->
                        line.startsWith("complete -c leasehold -n '__fish_seen_subcommand_from ls' -l json -d "));
        assertThat(COMMANDS).allMatch(command -> out.contains(" -a " + command + " -d "));
    }

    @Test
    void refusesAnUnknownShell() {
        assertThat(execute("completion", "cmd")).isEqualTo(ExitCode.USAGE);
        assertThat(err).contains("cmd", "SHELL");
    }

    private int execute(String... args) {
        CliResult result = CliResult.of(args);
        out = result.out();
        err = result.err();
        return result.exitCode();
    }
}
