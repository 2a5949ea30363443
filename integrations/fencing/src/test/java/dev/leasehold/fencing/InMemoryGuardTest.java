package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InMemoryGuardTest extends FencingGuardContract {

    private final FencingGuard guard = new InMemoryGuard();
    private final Map<String, String> values = new ConcurrentHashMap<>();

    @Override
    void write(String resource, long token, String value) throws Exception {
        guard.admit(resource, token);
        values.put(resource, value);
    }

    @Override
    @Nullable
    String value(String resource) {
        return values.get(resource);
    }

    @Override
    boolean oneStep() {
        return false;
    }

    @Test
    void anEmptyNameIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> guard.admit("", 1));
    }
}
