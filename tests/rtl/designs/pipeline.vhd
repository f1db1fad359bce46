-- An integer dot product of K elements, with a register behind the products and one behind the sum.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package sizes is
  type products_t is array (natural range <>) of signed(15 downto 0);
end package;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity multiplier is
  port (x, y : in signed(7 downto 0); p : out signed(15 downto 0));
end entity;

architecture rtl of multiplier is
begin
  p <= x * y;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.sizes.all;

entity Pipeline is
  generic (K : positive := 2; SUM : positive := 32);
  port (clk  : in  std_logic;
        a, b : in  std_logic_vector(8 * K - 1 downto 0);
        c    : in  std_logic_vector(31 downto 0);
        d    : out std_logic_vector(31 downto 0));
end entity;

architecture rtl of Pipeline is
  signal made, kept : products_t(0 to K - 1);
  signal c_kept     : signed(31 downto 0);
begin
  each : for i in 0 to K - 1 generate
    multiply : entity work.multiplier
      port map (x => signed(a(8 * i + 7 downto 8 * i)), y => signed(b(8 * i + 7 downto 8 * i)), p => made(i));
  end generate;

  process (clk)
    variable total : signed(SUM - 1 downto 0);
  begin
    if rising_edge(clk) then
      kept   <= made;
      c_kept <= signed(c);
      total  := (others => '0');
      for i in kept'range loop
        total := total + resize(kept(i), SUM);
      end loop;
      d <= std_logic_vector(c_kept + resize(total, 32));
    end if;
  end process;
end architecture;
