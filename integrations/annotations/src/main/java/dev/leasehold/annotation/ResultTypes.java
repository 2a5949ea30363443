package dev.leasehold.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** The types of results, by name: the libraries that have them are optional. */
final class ResultTypes {

    private static final String PUBLISHER = "org.reactivestreams.Publisher";
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** Types that end later, and implement neither a future nor a publisher. */
    private static final Set<String> LATER = Set.of(
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Deferred",
            "kotlinx.coroutines.Job",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Observable",
            "io.reactivex.rxjava3.core.Single");

    private ResultTypes() {}

    static LockedMethod.Result resultOf(Class<?> type) {
        return switch (type.getName()) {
            case "reactor.core.publisher.Mono" -> LockedMethod.Result.MONO;
            case "reactor.core.publisher.Flux" -> LockedMethod.Result.FLUX;
            case PUBLISHER -> hasReactor() ? LockedMethod.Result.FLUX : LockedMethod.Result.PLAIN;
            case "io.smallrye.mutiny.Uni" -> LockedMethod.Result.UNI;
            case "io.smallrye.mutiny.Multi" -> LockedMethod.Result.MULTI;
            default ->
                type == CompletionStage.class || type == CompletableFuture.class
                        ? LockedMethod.Result.STAGE
                        : LockedMethod.Result.PLAIN;
        };
    }

    static boolean hasReactor() {
        try {
            Class.forName("reactor.core.publisher.Flux", false, ResultTypes.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns whether a type that is none of the observed ones ends after the method has returned it. */
    static boolean endsLater(Class<?> type) {
        return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type) || isLater(type);
    }

    private static boolean isLater(Class<?> type) {
        return LATER.contains(type.getName())
                || type.getName().equals(PUBLISHER)
                || type.getName().equals("java.util.concurrent.Flow$Publisher")
                || Arrays.stream(type.getInterfaces()).anyMatch(ResultTypes::isLater)
                || (type.getSuperclass() != null && isLater(type.getSuperclass()));
    }

    static boolean suspends(Method method) {
        List<Class<?>> types = List.of(method.getParameterTypes());
        return !types.isEmpty() && types.get(types.size() - 1).getName().equals(CONTINUATION);
    }

    /** Lists the types that a method may return, for a message. */
    static String observed(Set<LockedMethod.Result> results) {
        List<String> types = new ArrayList<>(List.of("CompletionStage", "CompletableFuture"));
        results.stream().sorted().skip(2).forEach(result -> types.add(capitalized(result.name())));
        String last = types.remove(types.size() - 1);
        return types.stream().collect(Collectors.joining(", ")) + " or " + last;
    }

    private static String capitalized(String name) {
        return name.charAt(0) + name.substring(1).toLowerCase(java.util.Locale.ROOT);
    }
}
