package dev.leasehold.spring;

import dev.leasehold.annotation.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Runtime hints for a native image: the Lua scripts, and the annotation. */
final class LockHints implements RuntimeHintsRegistrar {

    LockHints() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("dev/leasehold/internal/script/*.lua");
        hints.resources().registerPattern("dev/leasehold/internal/script/part/*.lua");
        hints.reflection().registerType(Lock.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.proxies().registerJdkProxy(Lock.class);
    }
}
