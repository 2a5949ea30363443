package dev.leasehold.architecture.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of GraalVM's tracing agent, in both of its formats, compared with metadata. No GraalVM has written them. */
class TracedCallsTest {
    @TempDir
    private Path traced;

    @TempDir
    private Path jar;

    private Libraries libraries;

    @BeforeEach
    void libraries() throws IOException {
        Files.createDirectories(jar.resolve("dev/leasehold/a"));
        Files.writeString(jar.resolve("dev/leasehold/a/A.class"), "");
        Files.writeString(jar.resolve("dev/leasehold/a/one.lua"), "");
        libraries = new Libraries(Map.of("a", jar));
    }

    @Test
    void ofSeparateFilesAreRead() throws IOException {
        Files.writeString(traced.resolve("reflect-config.json"), """
                [{"name": "dev.leasehold.a.A", "fields": [{"name": "x"}], "methods": [{"name": "<init>", "parameterTypes": []}]},
                 {"name": "io.netty.Other"}]""");
        Files.writeString(traced.resolve("resource-config.json"), """
                {"resources": {"includes": [{"pattern": "\\\\Qdev/leasehold/a/one.lua\\\\E"}, {"pattern": "\\\\Qother\\\\E"}]}, "bundles": []}""");
        Files.writeString(traced.resolve("proxy-config.json"), """
                [{"interfaces": ["sun.misc.SignalHandler"]}, {"interfaces": ["io.netty.Other"]}]""");
        assertReached();
    }

    @Test
    void ofOneFileAreRead() throws IOException {
        Files.writeString(traced.resolve("reachability-metadata.json"), """
                {"reflection": [
                   {"type": "dev.leasehold.a.A", "fields": [{"name": "x"}], "methods": [{"name": "<init>", "parameterTypes": []}]},
                   {"type": {"proxy": ["sun.misc.SignalHandler"]}}, {"type": "io.netty.Other"}],
                 "resources": [{"glob": "dev/leasehold/a/one.lua"}, {"glob": "other"}]}""");
        assertReached();
    }

    private void assertReached() {
        String agent = "the tracing agent";
        assertThat(TracedCalls.of(traced, libraries))
                .containsExactlyInAnyOrder(
                        Access.type("dev.leasehold.a.A", agent),
                        Access.field("dev.leasehold.a.A", "x", agent),
                        Access.method("dev.leasehold.a.A", "<init>", agent),
                        Access.resource("dev/leasehold/a/one.lua", agent),
                        Access.proxy("sun.misc.SignalHandler", agent))
                .noneMatch(libraries.metadata()::registers);
    }

    @Test
    void entriesOfAnotherKindAreRefused() throws IOException {
        Files.writeString(traced.resolve("jni-config.json"), "[{\"name\": \"dev.leasehold.a.A\"}]");
        assertThatThrownBy(() -> TracedCalls.of(traced, libraries)).hasMessageContaining("jni-config.json");
    }
}
