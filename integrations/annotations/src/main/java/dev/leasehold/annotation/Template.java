package dev.leasehold.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A name with expressions. Only the text of the annotation is parsed: the values of arguments and placeholders are
 * plain text. Immutable.
 */
public final class Template {

    private final String source;
    private final List<Part> parts;

    /** Text, or an expression with its text. */
    private record Part(String text, NameExpressions.@Nullable Parsed expression) {}

    private Template(String source, List<Part> parts) {
        this.source = source;
        this.parts = parts;
    }

    /**
     * Parses and checks a template.
     *
     * @param source the text of the annotation
     * @param parameters the parameters of the method
     * @param placeholders replaces placeholders in the text outside of expressions
     * @param expressions parses the expressions
     * @return the template
     * @throws IllegalArgumentException if the template is invalid; the message has the reason
     */
    public static Template parse(
            String source,
            MethodParameters parameters,
            UnaryOperator<String> placeholders,
            NameExpressions expressions) {
        List<Part> parts = new ArrayList<>();
        for (TemplateText.Piece piece : TemplateText.split(source)) {
            if (piece.isExpression()) {
                parts.add(new Part(piece.text(), expressions.parse(piece.text(), parameters)));
            } else {
                parameters.refuseOutsideOfBraces(piece.text());
                parts.add(new Part(placeholders.apply(piece.text()), null));
            }
        }
        return new Template(source, List.copyOf(parts));
    }

    /**
     * Returns the name for the arguments of a call.
     *
     * @param arguments the arguments
     * @return the name
     * @throws IllegalArgumentException if a part is null, empty or has no {@code toString} of its own; the message
     *     names the part, and does not contain the arguments
     */
    public String of(@Nullable Object[] arguments) {
        StringBuilder name = new StringBuilder();
        for (Part part : parts) {
            NameExpressions.Parsed expression = part.expression();
            name.append(expression == null ? part.text() : evaluate(part.text(), expression, arguments));
        }
        return name.toString();
    }

    private String evaluate(String text, NameExpressions.Parsed expression, @Nullable Object[] arguments) {
        String shown = "#{" + text + "} of '" + source + "'";
        Object value;
        try {
            value = expression.valueFor(arguments);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    shown + " failed; check the argument and the expression: " + e.getMessage(), e);
        }
        if (value instanceof Optional<?> optional) {
            value = optional.orElse(null);
        }
        if (value == null) {
            throw new IllegalArgumentException(
                    shown + " is null, so different things would share one lock. Refuse the call earlier");
        }
        if (!hasText(value)) {
            throw new IllegalArgumentException(
                    shown + " is a " + value.getClass().getName()
                            + ", which has no toString that identifies it. Name a property of it that does");
        }
        String result = value.toString();
        if (result == null || result.isEmpty()) {
            throw new IllegalArgumentException(
                    shown + " is empty, so different things would share one lock. Refuse the call earlier");
        }
        return result;
    }

    /**
     * Returns whether a value has a text of its own. That of {@link Object} differs between processes. The texts are compared, because
     * in a native image {@link Class#getMethod} finds only registered methods.
     */
    private static boolean hasText(Object value) {
        String ofObject = value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
        return !ofObject.equals(value.toString());
    }

    /** Returns the text of the annotation. */
    @Override
    public String toString() {
        return source;
    }
}
