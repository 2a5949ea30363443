package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Named modules, whose requirements are on the class path of this test. */
class ModulePathTest {
    private static final String CORE = "dev.leasehold.core";
    private static final String FENCING = "dev.leasehold.fencing";

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
                .containsExactlyInAnyOrderElementsOf(LayerRules.CORE_PACKAGES);
    }

    @Test
    void guardsOfADatabaseNeedNoOtherModule() throws ReflectiveOperationException {
        ModuleLayer alone = layer(FENCING, classes("leasehold-fencing"));
        assertThat(alone.modules()).extracting(Module::getName).containsExactly(FENCING);
        ClassLoader loader = alone.findLoader(FENCING);
        Object table = loader.loadClass("dev.leasehold.fencing.JdbcFenceTable")
                .getMethod("named", String.class)
                .invoke(null, "leasehold_fence");
        assertThat(table.getClass().getModule().getName()).isEqualTo(FENCING);
    }

    @Test
    void theGuardOfRedisSeesTheCoreIfThatIsThere() throws ReflectiveOperationException {
        Path[] both = Stream.concat(Stream.of(classes("leasehold-fencing")), Stream.of(path()))
                .toArray(Path[]::new);
        ModuleLayer layer = layer(FENCING, both, CORE);
        ClassLoader loader = layer.findLoader(FENCING);
        Class<?> transport = loader.loadClass("dev.leasehold.spi.RedisTransport");
        assertThat(loader.loadClass("dev.leasehold.fencing.RedisGuard").getMethod("over", transport))
                .isNotNull();
        assertThat(transport.getModule().getName()).isEqualTo(CORE);
    }

    private static ModuleLayer layer() {
        return layer(CORE, path());
    }

    private static ModuleLayer layer(String root, Path path) {
        return layer(root, new Path[] {path});
    }

    private static ModuleLayer layer(String root, Path[] path, String... others) {
        Set<String> roots = Stream.concat(Stream.of(root), Stream.of(others)).collect(Collectors.toSet());
        ModuleLayer boot = ModuleLayer.boot();
        Configuration resolved = boot.configuration().resolve(ModuleFinder.of(path), ModuleFinder.of(), roots);
        return boot.defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader());
    }

    private static Path classes(String module) {
        return Repository.folder(module).resolve("target/classes");
    }

    private static Path[] path() {
        List<String> needed = List.of("slf4j-api-", "netty-common-", "jspecify-");
        Stream<Path> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> needed.stream().anyMatch(path.getFileName().toString()::startsWith));
        return Stream.concat(Stream.of(classes(Unit.CORE)), jars).toArray(Path[]::new);
    }
}
