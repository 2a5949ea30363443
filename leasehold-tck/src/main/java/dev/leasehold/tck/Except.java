package dev.leasehold.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says of a contract where it does not apply, and why. */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Except.All.class)
public @interface Except {

    /**
     * Where it does not apply.
     *
     * @return topologies
     */
    Topology[] value();

    /**
     * Why not: half a sentence for the table in the README.
     *
     * @return the reason
     */
    String because();

    /** Several reasons. */
    @Documented
    @Inherited
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {

        /**
         * All of them.
         *
         * @return the reasons
         */
        Except[] value();
    }
}
