package dev.leasehold.spring;

import dev.leasehold.annotation.MethodParameters;
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

/** Finds errors of an expression at startup that would otherwise fail its first call. */
final class SpelCheck {

    private final String expression;
    private final MethodParameters names;

    SpelCheck(String expression, MethodParameters names) {
        this.expression = expression;
        this.names = names;
    }

    /** @throws IllegalArgumentException if the expression is invalid */
    void check(SpelNode root) {
        check(root, false);
    }

    /** @param hasTarget whether a property or method without a preceding variable has a target object */
    private void check(SpelNode node, boolean hasTarget) {
        if (node instanceof TypeReference || node instanceof BeanReference || node instanceof ConstructorReference) {
            throw refused("uses types or beans. Only the parameters can be used");
        }
        if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
            throw refused("assigns a value. Only read the parameters");
        }
        if (node instanceof FunctionReference) {
            throw refused("calls an unknown function. Only the parameters can be used");
        }
        if (node instanceof VariableReference) {
            String variable = node.toStringAST().substring(1);
            if (names.indexOf(variable) < 0 && !(hasTarget && (variable.equals("this") || variable.equals("root")))) {
                throw refused("cannot be evaluated: " + names.unknown(variable));
            }
        }
        if (!hasTarget && (node instanceof PropertyOrFieldReference || node instanceof MethodReference)) {
            throw refused(
                    "names " + node.toStringAST() + " without a target. A parameter begins with #, as in #{#order.id}");
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
