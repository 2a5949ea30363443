package dev.leasehold.quarkus.deployment;

import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.quarkus.internal.JtaTransactions;
import dev.leasehold.quarkus.internal.LockBinding;
import dev.leasehold.quarkus.internal.LockCalls;
import dev.leasehold.quarkus.internal.LockInterceptor;
import dev.leasehold.quarkus.internal.LockRecorder;
import dev.leasehold.quarkus.internal.LockedMethods;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.AnnotationsTransformerBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.arc.deployment.InterceptorBindingRegistrarBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.arc.processor.BeanInfo;
import io.quarkus.arc.processor.InterceptorBindingRegistrar;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.BuildSteps;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveHierarchyBuildItem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTransformation;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;

/** The annotation: its interceptor, and the checks of its uses. */
@BuildSteps(onlyIf = LeaseholdProcessor.Enabled.class)
final class LockProcessor {

    LockProcessor() {}

    @BuildStep
    void beans(Capabilities capabilities, BuildProducer<AdditionalBeanBuildItem> beans) {
        beans.produce(AdditionalBeanBuildItem.builder()
                .setUnremovable()
                .addBeanClasses(LockInterceptor.class, LockCalls.class, LockedMethods.class)
                .build());
        if (capabilities.isPresent(Capability.TRANSACTIONS)) {
            beans.produce(AdditionalBeanBuildItem.unremovableOf(JtaTransactions.class));
        }
    }

    @BuildStep
    InterceptorBindingRegistrarBuildItem binding() {
        return new InterceptorBindingRegistrarBuildItem(new InterceptorBindingRegistrar() {
            @Override
            public List<InterceptorBinding> getAdditionalBindings() {
                return List.of(InterceptorBinding.of(LockBinding.class));
            }
        });
    }

    @BuildStep
    AnnotationsTransformerBuildItem bind(CombinedIndexBuildItem index) {
        Set<DotName> annotations = LockUses.annotations(index.getIndex());
        return new AnnotationsTransformerBuildItem(AnnotationTransformation.forMethods()
                .whenMethod(method -> LockUses.canBeIntercepted(method)
                        && annotations.stream().anyMatch(method::hasDeclaredAnnotation))
                .transform(context -> context.add(LockBinding.class)));
    }

    @BuildStep
    LockedBeansBuildItem check(
            ValidationPhaseBuildItem validation,
            CombinedIndexBuildItem combined,
            Capabilities capabilities,
            BuildProducer<ValidationErrorBuildItem> errors) {
        IndexView index = combined.getIndex();
        // A bean that nobody uses is removed, but not wrong.
        Map<DotName, BeanInfo> beans = Stream.concat(
                        validation.getContext().beans().classBeans().stream(),
                        validation.getContext().removedBeans().classBeans().stream())
                .collect(Collectors.toMap(BeanInfo::getBeanClass, bean -> bean, (one, other) -> one));
        LockCheck check = new LockCheck(index, beans, capabilities.isPresent(Capability.TRANSACTIONS));
        List<MethodInfo> methods = LockUses.methods(index);
        List<String> problems = check.check(methods);
        if (!problems.isEmpty()) {
            errors.produce(new ValidationErrorBuildItem(new LockSetupException(problems)));
        }
        return new LockedBeansBuildItem(check.locked(), methods);
    }

    @BuildStep
    @Record(ExecutionTime.RUNTIME_INIT)
    void checkAtStart(LockedBeansBuildItem locked, LockRecorder recorder, BeanContainerBuildItem started) {
        recorder.check(List.copyOf(locked.beans()));
    }

    /** Methods are found by reflection, and so are the properties of arguments that names contain. */
    @BuildStep
    void reflection(
            LockedBeansBuildItem locked,
            BuildProducer<ReflectiveClassBuildItem> classes,
            BuildProducer<ReflectiveHierarchyBuildItem> arguments) {
        locked.methods().stream()
                .map(method -> method.declaringClass().name().toString())
                .distinct()
                .forEach(type -> classes.produce(
                        ReflectiveClassBuildItem.builder(type).methods().build()));
        locked.beans()
                .forEach(type -> classes.produce(ReflectiveClassBuildItem.builder(type.toString())
                        .methods()
                        .build()));
        locked.methods().stream()
                .flatMap(method -> method.parameterTypes().stream())
                .forEach(type -> arguments.produce(ReflectiveHierarchyBuildItem.builder(type)
                        .source("Leasehold's names of locks")
                        .build()));
    }
}
