package dev.leasehold.fencing;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Guards the rows of a table of your own by a column in it: a 64-bit integer with the highest fencing token that the
 * row has seen. {@code NULL} means none, so you can add the column to a table that has rows.
 *
 * <pre>{@code
 * ALTER TABLE lottery ADD COLUMN fence BIGINT
 * }</pre>
 *
 * <p>The fence is deleted with its row. If rows are deleted and inserted again, or if several rows belong together, use
 * a {@link JdbcFenceTable}. The driver must report how many rows a statement matched, not how many it changed.
 *
 * <p>Immutable and thread-safe.
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
     * Creates a guard from a column of an existing table.
     *
     * @param table the table's name, as in a statement: with a schema and in quotes if needed
     * @param fenceColumn the column with the token
     * @param keyColumns the columns that together identify one row, at least one
     * @return the guard
     * @throws IllegalArgumentException if a name is no SQL identifier, or there is no key column
     */
    public static JdbcFenceColumn of(String table, String fenceColumn, String... keyColumns) {
        if (keyColumns.length == 0) {
            throw new IllegalArgumentException("no key column is given for table '" + Inputs.escape(table)
                    + "': name the columns that identify one row");
        }
        return new JdbcFenceColumn(
                SqlName.table(table),
                SqlName.column(fenceColumn),
                Arrays.stream(keyColumns).map(SqlName::column).toList());
    }

    /**
     * Returns the guard of one row.
     *
     * @param key the values of the key columns, in their order, as {@link java.sql.PreparedStatement#setObject} accepts
     *     them
     * @return the row's guard
     * @throws IllegalArgumentException if the number of values differs from the number of key columns
     */
    public JdbcFencedRow row(Object... key) {
        if (key.length != keyColumns.size()) {
            throw new IllegalArgumentException(key.length + " values are given for the " + keyColumns.size()
                    + " key columns " + keyColumns + " of table " + table);
        }
        return new JdbcFencedRow(this, List.of(key));
    }

    /** Returns the UPDATE. Its parameters: those of the assignments, the token, the key, the token. */
    String write(String assignments) {
        String separator = assignments.isEmpty() ? "" : ", ";
        return "UPDATE " + table + " SET " + assignments + separator + fenceColumn + " = ? WHERE " + isRow() + " AND ("
                + fenceColumn + " IS NULL OR " + fenceColumn + " <= ?)";
    }

    String query() {
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
