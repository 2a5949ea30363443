package dev.leasehold.spring;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

/** Finds at the start what an expression would fail of at its first call. */
final class TemplateCheck {

    private final String expression;
    private final ParameterNames names;

    TemplateCheck(String expression, ParameterNames names) {
        this.expression = expression;
        this.names = names;
    }

    /** @throws IllegalArgumentException if it can never work */
    void check(SpelNode root) {
        check(root, false);
    }

    /** @param hasTarget whether a property or method without a variable before it belongs to something */
    private void check(SpelNode node, boolean hasTarget) {
        if (node instanceof TypeReference || node instanceof BeanReference || node instanceof ConstructorReference) {
            throw refused("reaches for types or beans. Only the parameters can be used");
        }
        if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
            throw refused("changes something. Only read the parameters");
        }
        if (node instanceof FunctionReference) {
            throw refused("calls a function that is not there. Only the parameters can be used");
        }
        if (node instanceof VariableReference) {
            String variable = node.toStringAST().substring(1);
            if (!names.has(variable) && !(hasTarget && (variable.equals("this") || variable.equals("root")))) {
                throw refused("cannot be evaluated: " + names.unknown(variable));
            }
        }
        if (!hasTarget && (node instanceof PropertyOrFieldReference || node instanceof MethodReference)) {
            throw refused("names " + node.toStringAST() + " of nothing. A parameter begins with #, as in #{#order.id}");
        }
        checkChildren(node, hasTarget);
    }

    private void checkChildren(SpelNode node, boolean hasTarget) {
        boolean inside = node instanceof Projection || node instanceof Selection || node instanceof Indexer;
        for (int i = 0; i < node.getChildCount(); i++) {
            boolean follows = node instanceof CompoundExpression && i > 0;
            boolean argument = node instanceof MethodReference;
            check(node.getChild(i), follows || inside || (!argument && hasTarget));
        }
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("#{" + expression + "} " + why);
    }
}
