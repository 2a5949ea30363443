package dev.leasehold.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A name with expressions. Only the text of the annotation is parsed: the values of arguments and placeholders are
 * plain text.
 */
final class Template {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final TemplateParserContext IN_BRACES = new TemplateParserContext();

    private final String source;
    private final List<Part> parts;
    private final List<String> parameters;

    /** Text, or an expression. */
    private record Part(String text, @Nullable Expression expression) {}

    private Template(String source, List<Part> parts, List<String> parameters) {
        this.source = source;
        this.parts = parts;
        this.parameters = parameters;
    }

    /**
     * Parses and checks a template.
     *
     * @param source the text of the annotation
     * @param names the names of the parameters
     * @param placeholders replaces placeholders in the text outside of expressions
     * @throws IllegalArgumentException if the template is invalid; the message has the reason
     */
    static Template parse(String source, ParameterNames names, UnaryOperator<String> placeholders) {
        List<Part> parts = new ArrayList<>();
        for (Expression expression : split(source)) {
            if (expression instanceof SpelExpression spel) {
                new TemplateCheck(spel.getExpressionString(), names).check(spel.getAST());
                parts.add(new Part(spel.getExpressionString(), spel));
            } else {
                String text = expression.getExpressionString();
                names.refuseOutsideOfBraces(text);
                parts.add(new Part(placeholders.apply(text), null));
            }
        }
        return new Template(source, List.copyOf(parts), names.all());
    }

    private static List<Expression> split(String source) {
        try {
            Expression whole = PARSER.parseExpression(source, IN_BRACES);
            return whole instanceof CompositeStringExpression composite
                    ? List.of(composite.getExpressions())
                    : List.of(whole);
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    "'" + source + "' is not a template: " + e.getSimpleMessage()
                            + ". Write it like order:#{#order.id}",
                    e);
        }
    }

    /** Returns whether the name is the same for every call. */
    boolean isConstant() {
        return parts.stream().allMatch(part -> part.expression() == null);
    }

    /**
     * Returns the name for the arguments of a call.
     *
     * @throws IllegalArgumentException if a part is null, empty or has no {@code toString} of its own; the message
     *     names the part, and does not contain the arguments
     */
    String of(@Nullable Object[] arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .withAssignmentDisabled()
                .build();
        for (int i = 0; i < arguments.length; i++) {
            context.setVariable("p" + i, arguments[i]);
            context.setVariable("a" + i, arguments[i]);
            if (i < parameters.size()) {
                context.setVariable(parameters.get(i), arguments[i]);
            }
        }
        StringBuilder name = new StringBuilder();
        for (Part part : parts) {
            Expression expression = part.expression();
            name.append(expression == null ? part.text() : evaluate(expression, context));
        }
        return name.toString();
    }

    private String evaluate(Expression expression, SimpleEvaluationContext context) {
        String shown = "#{" + expression.getExpressionString() + "} of '" + source + "'";
        Object value;
        try {
            value = expression.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(
                    shown + " failed: " + e.getSimpleMessage() + ". Check the argument and the expression", e);
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
        String text = value.toString();
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException(
                    shown + " is empty, so different things would share one lock. Refuse the call earlier");
        }
        return text;
    }

    /**
     * Returns whether a value has a text of its own. That of {@link Object} differs between processes. The texts are compared, because
     * in a native image {@link Class#getMethod} finds only registered methods.
     */
    private static boolean hasText(Object value) {
        String ofObject = value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
        return !ofObject.equals(value.toString());
    }

    @Override
    public String toString() {
        return source;
    }
}
