package dev.leasehold.spring;

import dev.leasehold.annotation.MethodParameters;
import dev.leasehold.annotation.NameExpressions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** The expressions in the names of Spring's locks: the Spring Expression Language over the parameters. */
final class SpelExpressions implements NameExpressions {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    @Override
    public Parsed parse(String expression, MethodParameters parameters) {
        SpelExpression parsed;
        try {
            parsed = PARSER.parseRaw(expression);
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    "#{" + expression + "} is no expression: " + e.getSimpleMessage() + ". Write it like #{#order.id}",
                    e);
        }
        new SpelCheck(expression, parameters).check(parsed.getAST());
        return arguments -> evaluate(parsed, parameters.names(), arguments);
    }

    private static @Nullable Object evaluate(
            Expression expression, List<String> parameters, @Nullable Object[] arguments) {
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
        try {
            return expression.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(e.getSimpleMessage(), e);
        }
    }
}
