/** Tests of beans with locks; see {@link dev.leasehold.spring.boot.test.LeaseholdTest}. */
@NullMarked
package dev.leasehold.spring.boot.test;

import org.jspecify.annotations.NullMarked;
