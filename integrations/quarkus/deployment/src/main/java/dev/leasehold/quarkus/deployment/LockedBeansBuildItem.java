package dev.leasehold.quarkus.deployment;

import io.quarkus.builder.item.SimpleBuildItem;
import java.util.List;
import java.util.Set;
import org.jboss.jandex.MethodInfo;

/** The checked methods with locks. */
final class LockedBeansBuildItem extends SimpleBuildItem {

    private final Set<Class<?>> beans;
    private final List<MethodInfo> methods;

    LockedBeansBuildItem(Set<Class<?>> beans, List<MethodInfo> methods) {
        this.beans = beans;
        this.methods = methods;
    }

    /** Returns the classes of the beans that have such methods. */
    Set<Class<?>> beans() {
        return beans;
    }

    List<MethodInfo> methods() {
        return methods;
    }
}
