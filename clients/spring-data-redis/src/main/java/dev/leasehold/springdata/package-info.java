/** Leasehold over Spring Data Redis; see {@link dev.leasehold.springdata.SpringDataTransport}. */
@NullMarked
package dev.leasehold.springdata;

import org.jspecify.annotations.NullMarked;
