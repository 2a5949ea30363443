package dev.leasehold.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Excludes a contract from topologies to which it does not apply, with the reason. */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Except.All.class)
public @interface Except {

    /**
     * The excluded topologies.
     *
     * @return topologies
     */
    Topology[] value();

    /**
     * The reason: half a sentence for the table in {@code docs/reference/servers-and-adapters.md}.
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
         * All exclusions.
         *
         * @return the reasons
         */
        Except[] value();
    }
}
