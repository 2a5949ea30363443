package dev.leasehold.fencing;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Guards rows of a table of your own, each by a column in it: a 64-bit integer that keeps the highest fencing token that
 * the row has seen. {@code NULL} counts as none, so the column may be added to a table that has rows.
 *
 * <pre>{@code
 * ALTER TABLE lottery ADD COLUMN fence BIGINT
 * }</pre>
 *
 * <p>The fence goes with its row. Where rows are deleted and made anew, or several belong together, take a
 * {@link JdbcFenceTable}. The driver must report how many rows a statement found, not how many it changed.
 *
 * <p>Immutable, and safe for use by any thread.
 */
public final class JdbcFenceColumn {

    private final String table;
    private final String fenceColumn;
    private final List<String> keyColumns;

    private JdbcFenceColumn(String table, String fenceColumn, List<String> keyColumns) {
        this.table = table;
        this.fenceColumn = fenceColumn;
        this.keyColumns = keyColumns;
    }

    /**
     * A column of a table that exists.
     *
     * @param table the table's name, as in a statement: with a schema before it, and in quotes, if need be
     * @param fenceColumn the column that keeps the token
     * @param keyColumns the columns that together tell one row from all others, at least one
     * @return the guard
     * @throws IllegalArgumentException if one of these is no SQL identifier, or there is no key column
     */
    public static JdbcFenceColumn of(String table, String fenceColumn, String... keyColumns) {
        if (keyColumns.length == 0) {
            throw new IllegalArgumentException("no key column is given for table '" + Inputs.escape(table)
                    + "': name those that tell one row from the others");
        }
        return new JdbcFenceColumn(
                SqlName.table(table),
                SqlName.column(fenceColumn),
                Arrays.stream(keyColumns).map(SqlName::column).toList());
    }

    /**
     * One row.
     *
     * @param key the values of the key columns, in their order; as {@link java.sql.PreparedStatement#setObject} takes them
     * @return the row's guard
     * @throws IllegalArgumentException if these are not as many as the key columns
     */
    public JdbcFencedRow row(Object... key) {
        if (key.length != keyColumns.size()) {
            throw new IllegalArgumentException(key.length + " values are given for the " + keyColumns.size()
                    + " key columns " + keyColumns + " of table " + table);
        }
        return new JdbcFencedRow(this, List.of(key));
    }

    /** Takes the parameters: what the assignments have, the token, the key, the token. */
    String write(String assignments) {
        String separator = assignments.isEmpty() ? "" : ", ";
        return "UPDATE " + table + " SET " + assignments + separator + fenceColumn + " = ? WHERE " + isRow() + " AND ("
                + fenceColumn + " IS NULL OR " + fenceColumn + " <= ?)";
    }

    String look() {
        return "SELECT " + fenceColumn + " FROM " + table + " WHERE " + isRow();
    }

    private String isRow() {
        return keyColumns.stream().map(column -> column + " = ?").collect(Collectors.joining(" AND "));
    }

    String describe(List<Object> key) {
        StringBuilder text = new StringBuilder(table).append('[');
        for (int i = 0; i < key.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(keyColumns.get(i))
                    .append('=')
                    .append(key.get(i));
        }
        return text.append(']').toString();
    }
}
