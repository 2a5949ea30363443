package dev.leasehold.spring;

import dev.leasehold.annotation.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Runtime hints for a native image: the annotation. The core's jar registers its scripts itself. */
final class LockHints implements RuntimeHintsRegistrar {

    LockHints() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.reflection().registerType(Lock.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.proxies().registerJdkProxy(Lock.class);
    }
}
