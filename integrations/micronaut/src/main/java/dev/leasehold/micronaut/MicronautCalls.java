package dev.leasehold.micronaut;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.CallEnvironment;
import dev.leasehold.annotation.LockGate;
import io.micronaut.context.BeanContext;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.concurrent.Executor;

/** What calls under locks use of the beans of an application. */
final class MicronautCalls implements CallEnvironment {

    private final BeanContext beans;

    MicronautCalls(BeanContext beans) {
        this.beans = beans;
    }

    @Override
    public Leasehold leasehold() {
        return beans.getBean(Leasehold.class);
    }

    @Override
    public LockGate gate() {
        return beans.getBean(LockGate.class);
    }

    @Override
    public Executor executor(String name) {
        Executor pool = beans.getBean(Executor.class, Qualifiers.byName(name));
        return task -> pool.execute(PropagatedContext.wrapCurrent(task));
    }
}
