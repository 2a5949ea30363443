package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The core as a named module, with what it requires found on the class path of this test. */
class ModulePathTest {
    private static final String CORE = "dev.leasehold.core";

    @Test
    void resolvesAndWorksAsANamedModule() throws ReflectiveOperationException {
        Class<?> api = layer().findLoader(CORE).loadClass("dev.leasehold.Leasehold");
        assertThat(api.getModule().getName()).isEqualTo(CORE);
        Object builder = api.getMethod("builder").invoke(null);
        assertThat(builder.getClass().getModule()).isSameAs(api.getModule());
    }

    @Test
    void showsNothingInternal() {
        Module core = layer().findModule(CORE).orElseThrow();
        assertThat(core.getPackages().stream().filter(core::isExported))
                .containsExactlyInAnyOrder(
                        "dev.leasehold", "dev.leasehold.spi", "dev.leasehold.event", "dev.leasehold.inspect");
    }

    private static ModuleLayer layer() {
        ModuleFinder finder = ModuleFinder.of(path());
        ModuleLayer boot = ModuleLayer.boot();
        Configuration resolved = boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(CORE));
        return boot.defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader());
    }

    private static Path[] path() {
        List<String> needed = List.of("slf4j-api-", "netty-common-", "jspecify-");
        Stream<Path> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> needed.stream().anyMatch(path.getFileName().toString()::startsWith));
        Path core = Repository.ROOT.resolve(Unit.CORE).resolve("target/classes");
        return Stream.concat(Stream.of(core), jars).toArray(Path[]::new);
    }
}
