package dev.leasehold.architecture;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The modules of the repository, for the packages below. */
public final class Modules {

    private Modules() {}

    /** Maps the artifact of each published module to its folder. */
    public static Map<String, Path> published() {
        return Repository.publishedModules().stream()
                .collect(Collectors.toMap(Function.identity(), Repository::folder));
    }
}
